import assert from 'node:assert/strict';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { testDatabase } from '../test-database.ts';
import { startChain } from '../../../server/devnet/chain.ts';
import { freePort } from '../../../server/devnet/child-process.ts';
import { createEvmChain } from '../../../server/chain/evm-chain.ts';
import { networks } from '../../../server/chain/networks.ts';
import { assertNothingKept, plant } from '../secrets/canary-watch.ts';
import type { Answer } from '../clients/client.ts';
import type { CrashPoint } from './crash-points.ts';
import type { ServiceSettings } from './crashing-service.ts';
import { assertPending } from '../money/payment-answers.ts';
import { type RunningProcess, startScript, until, untilReady } from './processes.ts';
import { removeFolder } from '../remove-folder.ts';

const SCRIPT = 'test/support/processes/crashing-service.ts';

/** The space for young objects, in MB. Node begins with 1 MB, and collects often until it adds more. */
const YOUNG_OBJECTS = ['--min-semi-space-size=16', '--max-semi-space-size=16'];

export type ServiceProcess = {
  url: string;
  running: RunningProcess;
  /**
   * Makes the process kill itself by SIGKILL when it next passes the point, or passes it for the n-th time. Around a
   * commit, only transactions count that sent a statement with the text `write`: jobs commit at any time.
   */
  crashAt(point: CrashPoint, passes?: number, write?: string): Promise<void>;
};

export type PreparedWorld = Awaited<ReturnType<typeof prepareWorld>>;

export type PreparedWorldOptions = {
  /** A key that a signer holds too. */
  treasuryKey?: `0x${string}`;
  env?: Record<string, string>;
  paymentTimes?: ServiceSettings['paymentTimes'];
  inspectionTimes?: ServiceSettings['inspectionTimes'];
  /** Places a proxy between the processes and the chain: receives the real RPC URL and returns the URL to use. */
  rpcUrlOf?: (rpcUrl: string) => Promise<string>;
};

/**
 * Prepares the dependencies that outlive the processes of the service: the test's own database, chain, and folder. All
 * end with the test file. Call it at the top of the file.
 */
export async function prepareWorld({
  treasuryKey = generatePrivateKey(),
  env = {},
  paymentTimes,
  inspectionTimes,
  rpcUrlOf = async (rpcUrl) => rpcUrl,
}: PreparedWorldOptions = {}) {
  const started: RunningProcess[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let lookForSecrets = async () => {};
  after(async () => {
    for (const { kill } of started) await kill('SIGKILL');
    try {
      await lookForSecrets();
    } finally {
      for (const close of closers.toReversed()) await close();
    }
  });
  const folder = await mkdtemp(join(tmpdir(), 'concours-ground-'));
  closers.push(() => removeFolder(folder));
  const log = pino({ level: 'silent' });
  const facilitatorKey = generatePrivateKey();
  const facilitatorAddress = privateKeyToAddress(facilitatorKey);
  const [{ db, url: databaseUrl }, node] = await Promise.all([
    testDatabase(),
    startChain({ dataDir: folder, facilitatorAddress, log, durable: false }),
  ]);
  closers.push(() => node.stop());
  const shared: Omit<ServiceSettings, 'port'> = {
    databaseUrl,
    rpcUrl: await rpcUrlOf(node.rpcUrl),
    facilitatorKey,
    treasuryKey,
    operatorKey: randomBytes(32).toString('base64url'),
    uploadSigningKeyHex: randomBytes(32).toString('hex'),
    folder,
    env,
    ...(paymentTimes ? { paymentTimes } : {}),
    ...(inspectionTimes ? { inspectionTimes } : {}),
  };
  const { operatorKey, uploadSigningKeyHex } = shared;
  const secrets = { facilitatorKey, treasuryKey, operatorKey, uploadSigningKeyHex };
  for (const [name, secret] of Object.entries(secrets)) plant(name, secret);
  lookForSecrets = () => assertNothingKept(db, started.map((running) => running.output()).join('\n'));
  return {
    db,
    databaseUrl,
    chain: createEvmChain({ rpcUrl: node.rpcUrl, network: networks['eip155:84532'], log }),
    rpcUrl: node.rpcUrl,
    mintUsdc: node.mintUsdc,
    operatorKey,
    /** Pays the gas. */
    facilitatorKey,
    /** The folder of the disk storage, in `storage`. */
    folder,
    /** Signs upload URLs and encrypts stored webhook secrets. */
    signingKey: Buffer.from(uploadSigningKeyHex, 'hex'),
    /** The wallet that receives entry fees and prizes. */
    treasury: privateKeyToAddress(treasuryKey).toLowerCase(),
    /**
     * Starts a process. Pass the `port` of an earlier process to reuse its URL, because payment requests name their URL.
     * `otherUrl` names another database than the world's own, such as a restored one.
     */
    async start(port?: number, otherUrl = databaseUrl): Promise<ServiceProcess> {
      const settings: ServiceSettings = { ...shared, databaseUrl: otherUrl, port: port ?? (await freePort()) };
      const running = startScript(SCRIPT, [JSON.stringify(settings)], {
        messages: true,
        nodeOptions: YOUNG_OBJECTS,
        // Compiling takes half of a start, and these tests start many processes.
        env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled') },
      });
      started.push(running);
      const url = `http://127.0.0.1:${settings.port}`;
      await untilReady(running, url);
      return { url, running, crashAt: (point, passes = 1, write = '') => arm(running, point, passes, write) };
    },
  };
}

async function arm({ child }: RunningProcess, crashAt: CrashPoint, passes: number, write: string): Promise<void> {
  const answer = once(child, 'message');
  child.send({ crashAt, passes, write });
  await answer;
}

/**
 * Sends requests until one crashes the process. A payment can be pending at first, because a process killed earlier can
 * still hold the lane.
 */
export async function untilKilled({ running }: ServiceProcess, send: () => Promise<Answer>): Promise<void> {
  await until('the crash', async () => {
    const answer = await send().catch(() => null);
    if (answer) assertPending(answer);
    return answer === null;
  });
  assert.equal(await running.ended, 'SIGKILL', running.output());
}
