import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isLoopback } from './addresses.ts';
import { blameAddress, blameSetting, CannotRun } from './cannot-run.ts';
import { type Config, type Mode, readConfig, requireTrustedHosts } from './config.ts';
import { anonymousPoolsOf, poolsOf } from './database-parts.ts';
import { askDatabase, createBreaker } from './db/public.ts';
import { prepareDatabase, requirePrepared } from './db/migrate.ts';
import { parseDatabaseUrl } from './settings/public.ts';
import { type Embedded, freePort, startEmbedded } from './devnet/public.ts';
import { readConsole, connectLimits, listen } from './http/public.ts';
import { derivedKey } from './sealing.ts';
import { createOpenAiClient } from './judging/public.ts';
import { createLog } from './log.ts';
import { createEvmChain, networks, type NodeRequests } from './chain/public.ts';
import type { Facilitator, Treasury } from './x402/types.ts';
import { alertNoGas, createInProcessFacilitator, createRemoteFacilitator, treasuryFor } from './x402/public.ts';
import { runToEnd, untilStopped } from './run-to-end.ts';
import { createService } from './service.ts';
import { createSigning, publicKeyOf } from './signing/public.ts';
import { startReport } from './start-report.ts';
import { createDiskStorage, createS3Storage } from './storage/public.ts';
import type { Storage } from './storage/types.ts';
import { createDecoders } from './pictures/public.ts';
import { requireTreasury } from './reconciliation/public.ts';
import { createSendMail } from './mail/public.ts';
import type { Db } from './db/database.ts';
import { NodeBehind, type Network } from './chain/types.ts';
import type { World } from './deps.ts';
import { derivedParts } from './derived-parts.ts';
import { VERSION } from './version.ts';
import { createWebhookClient } from './webhooks/public.ts';

// Load balancers need a moment to see that /readyz answers 503. A development start has no load balancer.
const DRAIN_MS = 2_000;
const GRACE_MS = 25_000;

const clock = { now: () => new Date() };
/** Time and randomness of the operating system. */
export const system: Pick<World, 'clock' | 'newId' | 'randomBytes'> = {
  clock,
  newId: () => randomUUIDv7(),
  randomBytes: (size) => randomBytes(size),
};

/** Addresses and keys, from the embedded parts of a development start or from the settings. */
type Resources = {
  databaseUrl: string;
  rpcUrl: string;
  /** Null in an api process. */
  treasuryKey: string | null;
  facilitatorKeys: readonly string[];
  operatorKey: string;
  secretsKey: string;
};

/** Runs the service until SIGINT or SIGTERM. `mode` refuses a NODE_ENV that says otherwise. */
export async function runService(args: string[], mode?: Mode): Promise<void> {
  const startedAt = performance.now();
  const config = readConfig(undefined, args, mode);
  const log = createLog(config.logLevel, undefined, { host: hostname(), role: config.role, version: VERSION });
  const embedded = config.development ? await startEmbedded(config, { randomBytes, log }) : null;
  const closers: Closers = [];
  if (embedded) closers.push(() => embedded.stop());
  try {
    await run(config, embedded, log, closers, startedAt);
  } catch (error) {
    await closeAll(closers, log);
    throw error;
  }
  const ended = await Promise.race([untilStopped(), ...(embedded ? [embedded.partEnded] : [])]);
  await closeAll(closers, log);
  if (ended) throw new CannotRun(`${ended} ended by itself, so the service stopped. Start it again: nothing is lost.`);
}

async function run(
  config: Config,
  embedded: Embedded | null,
  log: Logger,
  closers: Closers,
  startedAt: number,
): Promise<void> {
  const port = config.port === 0 ? await freePort() : config.port;
  const { world: built, storage, resources } = await buildWorld(config, embedded, { log, closers, port });
  const world = await withTraces(built, closers);
  const { publicUrl } = world;
  const limits = await blameSetting('REDIS_URL', connectLimits(config, world));
  closers.push(() => limits?.close());
  let draining = false;
  const service = createService(world, {
    operatorKey: resources.operatorKey,
    isDraining: () => draining,
    ...(config.role === 'worker' ? {} : { console: await readConsole() }),
    ...(storage.handleUpload ? { handleUpload: storage.handleUpload } : {}),
    ...(limits ? { limits } : {}),
  });
  const listener = await blameAddress('PORT', listen(service.app, { host: config.host, port }));
  const jobs = service.startJobs();
  closers.push(async () => {
    draining = true;
    if (!config.development) await sleep(DRAIN_MS);
    // In parallel: a round of the sweeper may take as long as the last requests.
    await Promise.all([listener.close(GRACE_MS), jobs.stop()]);
    service.app.stop();
  });
  const { operatorKey } = resources;
  console.log(startReport(config, { embedded, publicUrl, operatorKey, ms: performance.now() - startedAt }));
}

/** Loads the SDK of OpenTelemetry only if somebody receives the traces. */
async function withTraces(world: World, closers: Closers): Promise<World> {
  const { tracesUrl: endpoint, serviceName, role } = world.config;
  if (endpoint === undefined) return world;
  const { startTelemetry, tracedWorld } = await import('./telemetry.ts');
  closers.push(startTelemetry({ endpoint, serviceName, role }));
  return tracedWorld(world);
}

export type Closers = (() => Promise<unknown> | void)[];

/** Closes what was opened, the newest first. A part that fails does not keep the others open. */
export async function closeAll(closers: Closers, log: Logger): Promise<void> {
  for (const close of closers.toReversed())
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'a part could not be closed');
    }
}

/** Connects the service to the outside world. `closers` gets what ends it. */
export async function buildWorld(
  config: Config,
  embedded: Embedded | null,
  { log, closers, port, onlyReads = false }: { log: Logger; closers: Closers; port: number; onlyReads?: boolean },
) {
  await requireTrustedHosts(config);
  const resources = resourcesOf(config, embedded);
  const publicUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  const { databaseUrl } = resources;
  const { ignored } = parseDatabaseUrl(databaseUrl);
  if (ignored.length > 0) log.info({ ignored }, 'DATABASE_URL: parameters for other clients are ignored');
  await blameSetting<unknown>('DATABASE_URL', (onlyReads ? requirePrepared : prepareDatabase)(databaseUrl));
  const pools = poolsOf(config, databaseUrl);
  closers.push(() => Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 5 }))));
  const anonymous = anonymousPoolsOf(config);
  closers.push(() => Promise.all(Object.values(anonymous ?? {}).map((pool) => pool.end({ timeout: 5 }))));
  const breaker = createBreaker(askDatabase(resources.databaseUrl), log);
  closers.push(() => breaker.stop());
  const network = networks[config.network ?? 'eip155:84532'];
  const payments = await paymentParts(config, resources, { network, db: pools.db, log });
  const storage = await storageOf(config, embedded, publicUrl);
  const { close: closeDecoders, ...decoders } = createDecoders();
  closers.push(closeDecoders);
  const webhooks = createWebhookClient({
    development: config.development,
    clock,
    allowedNetworks: config.webhookNetworks,
  });
  closers.push(() => webhooks.close());
  const ai = config.ai ? createOpenAiClient(config.ai, { randomBytes }) : null;
  const treasury = treasuryOf(config, resources.treasuryKey, log);
  for (const key of config.secretsKeysAccepted)
    log.info({ x: publicKeyOf(key) }, 'SECRETS_KEYS_ACCEPTED: the public part of a signing key');
  const asset = network.usdc.address.toLowerCase();
  // A development start makes a chain and a treasury for each data folder.
  if (!embedded) await requireTreasury(pools.db, { network: network.id, treasury: treasury.address, asset });
  const world: World = {
    config,
    ...pools,
    anonymous,
    breaker,
    ...system,
    storage: storage.port,
    ...payments,
    network,
    treasury,
    payTo: treasury.address,
    ai,
    ...decoders,
    ...derivedParts(resources.secretsKey, config.secretsKeysAccepted, { publicUrl, clock, randomBytes }),
    sendMail: await createSendMail(config.mail),
    signing: createSigning({
      secretsKey: resources.secretsKey,
      earlierKeys: config.signingKeysAccepted,
      publicUrl,
    }),
    deliverWebhook: webhooks.deliver,
    webhookTarget: webhooks.targetOf,
    publicUrl,
    faucet: embedded?.mintUsdc ?? null,
    developmentRpcUrl: config.development ? resources.rpcUrl : undefined,
    log,
  };
  return { world, storage, resources };
}

function resourcesOf(config: Config, embedded: Embedded | null): Resources {
  if (embedded && config.treasurySignerUrl)
    throw new CannotRun('TREASURY_SIGNER_URL: a development start signs with a key of its own');
  if (embedded) return embedded;
  const { databaseUrl, rpcUrl, treasuryKey, operatorKey, secretsKey, facilitatorKeys } = config;
  if (!databaseUrl || !rpcUrl || !(treasuryKey || config.treasuryAddress) || !operatorKey || !secretsKey)
    throw new CannotRun('a required setting is missing');
  return { databaseUrl, rpcUrl, treasuryKey: treasuryKey ?? null, operatorKey, secretsKey, facilitatorKeys };
}

/** @throws CannotRun if the address belongs to another key */
function treasuryOf(config: Config, key: string | null, log: Logger): Treasury {
  const { role, treasuryAddress: address, treasurySignerUrl: signerUrl, needlessTreasuryKey } = config;
  const treasury = treasuryFor({ key: key as `0x${string}` | null, signerUrl, address, signs: role !== 'api' });
  if (!treasury) throw new CannotRun('TREASURY_ADDRESS: TREASURY_KEY belongs to another address');
  if (config.revenueAddress === treasury.address)
    throw new CannotRun('REVENUE_ADDRESS: is the address of the treasury');
  if (needlessTreasuryKey) log.warn('TREASURY_KEY: an api process does not need it; give it TREASURY_ADDRESS instead');
  return treasury;
}

async function paymentParts(config: Config, resources: Resources, parts: { network: Network; db: Db; log: Logger }) {
  const { rpcUrl } = resources;
  // The requests of both tell whether the node answers.
  const requests = {};
  const chain = createEvmChain({ ...parts, rpcUrl, requests, ...(config.development ? {} : { clock }) });
  const facilitator = facilitatorOf(config, resources, { ...parts, requests });
  // Only money waits for a node that is behind: its probe, and the comparison with the chain, say so.
  const isBehind = (error: unknown) => {
    if (!(error instanceof NodeBehind)) throw error;
    parts.log.warn({ err: error }, 'the node is behind, so no money moves yet');
  };
  await blameSetting('RPC_URL', chain.check().catch(isBehind));
  const setting = config.facilitatorUrl ? 'FACILITATOR_URL' : 'FACILITATOR_KEY';
  await blameSetting(setting, facilitator.check());
  return { chain, facilitator };
}

type FacilitatorParts = { network: Network; db: Db; log: Logger; requests: NodeRequests };

function facilitatorOf(config: Config, { rpcUrl, facilitatorKeys }: Resources, parts: FacilitatorParts): Facilitator {
  const { network } = parts;
  if (config.facilitatorUrl) return remoteFacilitatorOf(config.facilitatorUrl, config, network);
  if (facilitatorKeys.length === 0)
    throw new CannotRun('FACILITATOR_URL, FACILITATOR_KEY, or FACILITATOR_KEYS is missing');
  return createInProcessFacilitator({
    ...parts,
    keys: facilitatorKeys as `0x${string}`[],
    rpcUrl,
    holder: randomUUIDv7(),
    onNoGas: (address) => alertNoGas({ ...parts, clock }, address),
    pooled: config.databasePooler,
    batchSize: config.batchSize,
    // All waiting payments share a look, so looking often costs little.
    pollMs: isLocal(rpcUrl) ? 10 : 250,
  });
}

function remoteFacilitatorOf(url: string, { facilitatorAuth: auth }: Config, network: Network): Facilitator {
  const newNonce = () => randomUUIDv7().replaceAll('-', '');
  try {
    return createRemoteFacilitator({ url, network, auth: auth && 'keyId' in auth ? { ...auth, newNonce } : auth });
  } catch (error) {
    throw new CannotRun('FACILITATOR_CDP_KEY_SECRET: an Ed25519 key in base64, or an EC key as PEM', { cause: error });
  }
}

/** @throws CannotRun if the storage does not answer */
async function storageOf(
  config: Config,
  embedded: Embedded | null,
  publicUrl: string,
): Promise<{ port: Storage; handleUpload?: (request: Request) => Promise<Response> }> {
  if (config.s3) {
    const port = createS3Storage(config.s3);
    await blameSetting('S3_ENDPOINT', port.check());
    return { port };
  }
  if (!embedded) throw new CannotRun('S3_ENDPOINT is missing');
  const disk = await createDiskStorage({
    folder: embedded.storageFolder,
    publicUrl,
    signingKey: derivedKey(embedded.secretsKey, 'upload URLs'),
    clock,
  });
  return { port: disk, handleUpload: disk.handleUpload };
}

function isLocal(url: string): boolean {
  return isLoopback(new URL(url).hostname);
}

if (import.meta.main) await runToEnd(() => runService(process.argv.slice(2)));
