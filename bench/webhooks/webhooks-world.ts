import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { migrate } from '../../server/db/migrate.ts';
import { createPool } from '../../server/db/pool.ts';
import { startChain, USDC_ADDRESS } from '../../server/devnet/chain.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { type RunningProcess, startScript, untilReady } from '../../test/support/processes/processes.ts';
import { makeCertificates } from '../../test/support/webhooks/certificates.ts';
import { type Child, startChild } from '../child.ts';
import { giveWay } from '../give-way.ts';
import { type SeededAgent, seedMarketplace } from '../seed.ts';
import { type Audience, createAudience } from './audience.ts';
import type { Db } from '../../server/ports/database.ts';

export type ServicePart = { running: RunningProcess; port: number; pid: number };

export type WebhookWorld = Audience & {
  db: Db;
  /** The agents that search. */
  readers: SeededAgent[];
  ca: string;
  /** The ports of the receivers, one process each. */
  ports: number[];
  receivers: Child[];
  startPart(role: 'api' | 'worker'): Promise<ServicePart>;
  startPeer(script: string, settings: unknown): Child;
  stop(): Promise<void>;
};

export type WebhookWorldOptions = {
  subscribers: number;
  projects: number;
  receivers: number;
  /** The folder for CPU profiles of the service's processes. */
  profileTo: string | undefined;
};

const READERS = 100;
const UNLIMITED = '1000000000';

/**
 * Starts a marketplace whose agents have webhooks, and receivers in separate processes. `startPart` starts the service.
 */
export async function startWebhookWorld(options: WebhookWorldOptions): Promise<WebhookWorld> {
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    return await start(options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { subscribers, projects, receivers: count, profileTo }: WebhookWorldOptions,
  closers: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<WebhookWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-bench-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const postgres = await startPostgres({ dataDir: folder, password: randomBytes(12).toString('hex'), log });
  closers.push(() => postgres.stop());
  const [facilitatorKey, treasuryKey] = [generatePrivateKey(), generatePrivateKey()];
  const chain = await startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(facilitatorKey), log });
  closers.push(() => chain.stop());
  const db = createPool({ url: postgres.url, connections: 4 });
  closers.push(() => db.end({ timeout: 1 }));
  await migrate(db);
  const readers = await seedMarketplace(db, {
    projects,
    agents: READERS,
    network: 'eip155:84532',
    asset: USDC_ADDRESS.toLowerCase(),
    payTo: privateKeyToAddress(treasuryKey).toLowerCase(),
  });
  const startPeer = (script: string, settings: unknown) => {
    const child = startChild(script, settings, true);
    closers.push(() => child.stop());
    return child;
  };
  const { ca, valid } = await makeCertificates(['127.0.0.1']);
  const caFile = join(folder, 'authority.pem');
  await writeFile(caFile, ca);
  const receivers = Array.from({ length: count }, () => startPeer('webhooks/receiver-peer.ts', valid));
  const ports = await Promise.all(
    receivers.map(async (receiver) => (await receiver.ask<{ port: number }>({ kind: 'listen' })).port),
  );
  const secretsKey = randomBytes(32).toString('hex');
  const audience = await createAudience({ db, secretsKey, subscribers, receivers, ports });
  const shared = {
    ...(profileTo ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileTo}` } : {}),
    NODE_ENV: 'development',
    // The service checks the receivers' certificates like any others.
    NODE_EXTRA_CA_CERTS: caFile,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    DATABASE_URL: postgres.url,
    RPC_URL: chain.rpcUrl,
    TREASURY_KEY: treasuryKey,
    FACILITATOR_KEY: facilitatorKey,
    SECRETS_KEY: secretsKey,
    // The same setting as in production.
    CHECK_ANSWERS: 'off',
    LIMIT_AGENT_OPERATIONS_PER_HOUR: UNLIMITED,
    LIMIT_AGENT_READS_PER_MINUTE: UNLIMITED,
  };
  return {
    ...audience,
    db,
    readers,
    ca,
    ports,
    receivers,
    startPeer,
    async startPart(role) {
      const port = await freePort();
      const running = startScript('server/main.ts', [`--role=${role}`], {
        env: { ...shared, PORT: String(port), DATA_DIR: join(folder, `part-${port}`) },
        ownSession: true,
      });
      closers.push(() => running.kill('SIGKILL'));
      await untilReady(running, `http://127.0.0.1:${port}`);
      const pid = running.child.pid ?? 0;
      // docs/operators/sizes-and-settings.md recommends `nice` for a worker that shares its machine with an API process.
      if (role === 'worker') giveWay(pid);
      return { running, port, pid };
    },
    stop,
  };
}

/**
 * Returns the log lines of senders about webhooks. A measurement with such lines is void. Other lines are expected: seeded
 * projects are not in the ledger.
 */
export function webhookLogs(parts: ServicePart[]): string {
  return parts
    .map(({ running }) => running.output())
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('webhook'))
    .join('\n');
}
