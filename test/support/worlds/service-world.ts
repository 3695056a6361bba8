import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { readConfig } from '../../../server/config.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { createPool } from '../../../server/db/pool.ts';
import { openDatabase } from '../test-database.ts';
import { type RunningChain, startChain } from '../../../server/devnet/chain.ts';
import { freePort } from '../../../server/devnet/child-process.ts';
import { readConsole } from '../../../server/http/pages/console-files.ts';
import { listen } from '../../../server/http/server.ts';
import { createLog } from '../../../server/log.ts';
import { createService, type Service } from '../../../server/service.ts';
import { assemble } from './assembled-world.ts';
import { assertNothingLeft, plant, watched } from '../secrets/canary-watch.ts';
import type { InspectionTimes } from '../../../server/entries/types.ts';
import type { PaymentTimes } from '../../../server/payments/types.ts';
import type { World } from '../../../server/deps.ts';
import { removeFolder } from '../remove-folder.ts';

// The number that pino gives to the level `error`.
const ERROR = 50;

export type TestClock = {
  now(): Date;
  /** The milliseconds by which the clock is ahead of this machine. Increase it to let time pass. */
  offsetMs: number;
  /**
   * Stops the clock at a time until the work is done, however long it takes. Then the clock continues, or stops where
   * it stood before.
   */
  at<T>(time: Date | string | number, work: () => Promise<T>): Promise<T>;
};

export type TestWorld = {
  /** `http://127.0.0.1:<port>`. The API is below `/api/v1`. */
  url: string;
  operatorKey: string;
  databaseUrl: string;
  /** The folder of the disk storage, in `storage`. */
  folder: string;
  chain: RunningChain;
  service: Service;
  /** The clock of the service. */
  clock: TestClock;
  /** Stops listening while the work runs, and cuts every connection. Then the service listens again, at the same URL. */
  outage<T>(work: () => Promise<T>): Promise<T>;
  /** Every line that the service logged at `error`. A test that expects some takes them out. */
  errors: Record<string, unknown>[];
  /** Every log line of every level, as text. */
  logLines: string[];
};

export type WorldOptions = {
  /** Settings with the names of the environment variables. */
  env?: Record<string, string>;
  /** Places a fault between the service and one of its dependencies. */
  wrap?: (world: World) => Partial<World>;
  paymentTimes?: Partial<PaymentTimes>;
  inspectionTimes?: Partial<InspectionTimes>;
  logLevel?: 'error' | 'debug';
  /** A database to use instead of the file's own. The caller ends it. */
  databaseUrl?: string;
  /**
   * The connections for everything but views and searches. Default 5: the jobs open all of them, and PostgreSQL parses and
   * plans each statement once for each.
   */
  connections?: number;
  /** Places a proxy before the chain: receives the real RPC URL and returns the URL to use. */
  rpcUrlOf?: (rpcUrl: string) => Promise<string>;
  /** Serves the built web console. */
  console?: true;
  /** Any errors may be logged. Without it, the file fails at its end if some are left in `errors`. */
  logsErrors?: true;
};

/**
 * Starts the whole service in this process on real parts: PostgreSQL, a chain, disk storage, and HTTP on a free port.
 * It ends with the test file. Call it at the top of the file, because an `after` inside a `before` runs at once.
 *
 * A test needs it only if it moves the clock, changes a setting, breaks a part, or looks into the process. Every other
 * test uses `sharedWorld`.
 */
export async function startWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const closers: Closers = [];
  after(() => closeAll(closers));
  return await openWorld(options, closers);
}

type Closers = (() => Promise<unknown> | void)[];

/** Closes in reverse order, everything even if a step fails. Then throws the first failure. */
export async function closeAll(closers: Closers): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Starts the service as `startWorld` does. Adds to `closers` the steps that end it, for `closeAll`. */
export async function openWorld(
  { env = {}, wrap, logLevel = 'error', paymentTimes, inspectionTimes, connections = 5, ...given }: WorldOptions,
  closers: Closers,
): Promise<TestWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-world-'));
  closers.push(() => removeFolder(folder));
  const { facilitatorKey, treasuryKey, uploadSigningKey, operatorKey } = newSecrets();
  const errors: Record<string, unknown>[] = [];
  if (!given.logsErrors) closers.push(() => assert.deepEqual(errors, [], 'the service logged errors'));
  const logLines: string[] = [];
  const write = (line: string) => {
    logLines.push(line);
    const parsed = JSON.parse(line) as { level: number };
    if (parsed.level >= ERROR) errors.push(parsed);
  };
  const log = createLog(logLevel, { write });
  const [{ db, url: databaseUrl }, chain, port] = await Promise.all([
    given.databaseUrl
      ? givenDatabase(given.databaseUrl, connections, closers)
      : openDatabase({ connections }, (close) => closers.push(close)),
    startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(facilitatorKey), log, durable: false }),
    freePort(),
  ]);
  closers.push(() => chain.stop());
  const url = `http://127.0.0.1:${port}`;
  const clock = testClock();
  const { world, storage, close } = await assemble({
    // Tests share a busy machine, where a search can take longer than the default allows.
    config: readConfig({ NODE_ENV: 'test', ...env }),
    db,
    databaseUrl,
    clock,
    log,
    folder,
    url,
    rpcUrl: given.rpcUrlOf ? await given.rpcUrlOf(chain.rpcUrl) : chain.rpcUrl,
    facilitatorKey,
    treasuryKey,
    uploadSigningKey,
    mintUsdc: chain.mintUsdc,
  });
  closers.push(close);
  const { handleUpload } = storage;
  const options = {
    operatorKey,
    handleUpload,
    ...(paymentTimes ? { paymentTimes } : {}),
    ...(inspectionTimes ? { inspectionTimes } : {}),
    ...(given.console ? { console: await readConsole() } : {}),
  };
  const sentWebhooks: string[] = [];
  const service = createService(watched({ ...world, ...wrap?.(world) }, sentWebhooks), options);
  closers.push(() => service.app.stop());
  let listener = await listen(service.app, { host: '127.0.0.1', port });
  const outage: TestWorld['outage'] = async (work) => {
    await listener.close(0);
    try {
      return await work();
    } finally {
      listener = await listen(service.app, { host: '127.0.0.1', port });
    }
  };
  const jobs = service.startJobs();
  closers.push(async () => {
    await listener.close(0);
    await jobs.stop();
  });
  closers.push(() => assertNothingLeft({ url, operatorKey, db, logLines, sentWebhooks }));
  return { url, operatorKey, databaseUrl, folder, chain, service, clock, outage, errors, logLines };
}

function testClock(): TestClock {
  let stands: Date | null = null;
  const clock: TestClock = {
    offsetMs: 0,
    now: () => new Date(stands ?? Date.now() + clock.offsetMs),
    async at(time, work) {
      const before = stands;
      stands = new Date(time);
      try {
        return await work();
      } finally {
        stands = before;
      }
    },
  };
  return clock;
}

function newSecrets() {
  const [facilitatorKey, treasuryKey, uploadSigningKey] = [generatePrivateKey(), generatePrivateKey(), randomBytes(32)];
  const operatorKey = `ck_operator_${randomBytes(32).toString('base64url')}`;
  plant("the facilitator's key", facilitatorKey);
  plant("the treasury's key", treasuryKey);
  plant('the key of all secrets', uploadSigningKey.toString('hex'));
  plant("the operator's key", operatorKey);
  return { facilitatorKey, treasuryKey, uploadSigningKey, operatorKey };
}

async function givenDatabase(url: string, connections: number, closers: Closers) {
  const db = createPool({ url, connections });
  closers.push(() => db.end({ timeout: 1 }));
  await migrate(db);
  return { db, url };
}
