import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { readConfig } from '../../../server/config.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { createPool } from '../../../server/db/pool.ts';
import { testDatabase } from '../test-database.ts';
import { type RunningChain, startChain } from '../../../server/devnet/chain.ts';
import { freePort } from '../../../server/devnet/child-process.ts';
import { readConsole } from '../../../server/http/pages/console-files.ts';
import { listen } from '../../../server/http/server.ts';
import { createLog } from '../../../server/log.ts';
import { createService, type Service } from '../../../server/service.ts';
import type { DiskStorageOptions } from '../../../server/storage/disk.ts';
import { assemble } from './assemble.ts';
import { assertNothingLeft, plant, watched } from '../secrets/canary-watch.ts';
import type { PaymentTimes } from '../../../server/ports/payment-setup.ts';
import type { World } from '../../../server/deps.ts';

// As pino numbers its levels.
const ERROR = 50;

export type TestClock = {
  now(): Date;
  /** Ahead of this machine's time by so much; move it to let time pass. */
  offsetMs: number;
  /** Stands at a time while the work is done, however long that takes; then it goes on, or stands where it stood. */
  at<T>(time: Date | string | number, work: () => Promise<T>): Promise<T>;
};

export type TestWorld = {
  /** `http://127.0.0.1:<port>`; the API is below `/api/v1`. */
  url: string;
  operatorKey: string;
  databaseUrl: string;
  /** Of the disk store, in `storage`. */
  folder: string;
  chain: RunningChain;
  service: Service;
  /** The clock of the service. */
  clock: TestClock;
  /** Every line that the service logged at `error`. */
  errors: Record<string, unknown>[];
  /** Every line at all, as it was written. */
  logLines: string[];
};

export type WorldOptions = {
  /** Settings, as the environment names them. */
  env?: Record<string, string>;
  /** Puts a fault between the service and one of its parts. */
  wrap?: (world: World) => Partial<World>;
  paymentTimes?: Partial<PaymentTimes>;
  logLevel?: 'error' | 'debug';
  /** Instead of a database of the file's own, and ended by whoever made it. */
  databaseUrl?: string;
  /** Puts something between the service and its chain: given the real address, says where to reach it. */
  rpcUrlOf?: (rpcUrl: string) => Promise<string>;
  /** Serves the web console, as it was built. */
  console?: true;
  /** Of the disk store: a disk that fails. */
  openFile?: DiskStorageOptions['openFile'];
};

/**
 * The whole service in this process on real parts: PostgreSQL, a chain, disk storage, HTTP on a free port. Ends with
 * the test file: called at its top, since an `after` inside of a `before` runs at once.
 */
export async function startWorld({
  env = {},
  wrap,
  logLevel = 'error',
  paymentTimes,
  openFile,
  ...given
}: WorldOptions = {}): Promise<TestWorld> {
  const closers: (() => Promise<unknown> | void)[] = [];
  // Hooks run in the order of their registration, up to the first that fails: the service ends before its database does, and
  // what was found is thrown after both.
  let lookForSecrets = async () => {};
  let found: { error: unknown } | null = null;
  after(async () => {
    await lookForSecrets().catch((error: unknown) => (found = { error }));
    for (const close of closers.toReversed()) await close();
  });
  const folder = await mkdtemp(join(tmpdir(), 'concours-world-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const { facilitatorKey, treasuryKey, uploadSigningKey, operatorKey } = newSecrets();
  const errors: Record<string, unknown>[] = [];
  const logLines: string[] = [];
  const write = (line: string) => {
    logLines.push(line);
    const parsed = JSON.parse(line) as { level: number };
    if (parsed.level >= ERROR) errors.push(parsed);
  };
  const log = createLog(logLevel, { write });
  const [{ db, url: databaseUrl }, chain, port] = await Promise.all([
    given.databaseUrl ? givenDatabase(given.databaseUrl, closers) : testDatabase(),
    startChain({ dataDir: folder, facilitatorAddress: privateKeyToAddress(facilitatorKey), log }),
    freePort(),
  ]);
  closers.push(() => chain.stop());
  const url = `http://127.0.0.1:${port}`;
  const clock = testClock();
  const { world, storage, close } = await assemble({
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
    ...(openFile ? { openFile } : {}),
  });
  closers.push(close);
  const { handleUpload } = storage;
  const options = {
    operatorKey,
    handleUpload,
    ...(paymentTimes ? { paymentTimes } : {}),
    ...(given.console ? { console: await readConsole() } : {}),
  };
  const inWebhooks: string[] = [];
  const service = createService(watched({ ...world, ...wrap?.(world) }, inWebhooks), options);
  closers.push(() => service.app.stop());
  const listener = await listen(service.app, { host: '127.0.0.1', port });
  const jobs = service.startJobs();
  closers.push(async () => {
    await listener.close(0);
    await jobs.stop();
  });
  lookForSecrets = () => assertNothingLeft({ url, operatorKey, db, logLines, inWebhooks });
  after(() => {
    if (found) throw found.error;
  });
  return { url, operatorKey, databaseUrl, folder, chain, service, clock, errors, logLines };
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

async function givenDatabase(url: string, closers: (() => Promise<unknown> | void)[]) {
  const db = createPool({ url, connections: 10 });
  closers.push(() => db.end({ timeout: 1 }));
  await migrate(db);
  return { db, url };
}
