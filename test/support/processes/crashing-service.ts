import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { createPool } from '../../../server/db/pool.ts';
import type { withTransaction } from '../../../server/db/transaction.ts';
import { readConfig } from '../../../server/config.ts';
import { connectLimits } from '../../../server/http/limits/connect.ts';
import { listen } from '../../../server/http/server.ts';
import { createService } from '../../../server/service.ts';
import pino from 'pino';
import { assemble } from '../worlds/assemble.ts';
import type { World } from '../../../server/deps.ts';
import type { Tx } from '../../../server/ports/database.ts';
import type { InspectionTimes } from '../../../server/ports/inspections.ts';

// Runs the whole service in a separate process, on a database, a chain, and a folder that the test owns. The argument
// holds the settings as JSON. A message names the point at which the process kills itself by SIGKILL, without any
// cleanup. The process repeats the message to confirm it.

export type ServiceSettings = {
  databaseUrl: string;
  rpcUrl: string;
  facilitatorKey: `0x${string}`;
  treasuryKey: `0x${string}`;
  operatorKey: string;
  uploadSigningKeyHex: string;
  folder: string;
  port: number;
  paymentTimes?: { waitMs: number; leaseMs: number };
  inspectionTimes?: InspectionTimes;
  /** Serves the built web console. */
  console?: true;
  env: Record<string, string>;
};

/** The points in the order in which a paid request and then the confirmation pass them. */
export type CrashPoint =
  | 'before verify'
  | 'after verify'
  | 'in the claim'
  | 'before settle'
  | 'with the lane taken'
  | 'after settle'
  | 'after the receipt check'
  | 'in the booking'
  | 'before presign'
  | 'after presign'
  | 'before reading'
  | 'before keeping'
  | 'after keeping'
  | 'before the answer'
  /** A transaction that made an id, such as that of an audit entry, or a write of WITHOUT_IDS has done its work; or it has committed. */
  | 'before the commit'
  | 'after the commit'
  /** A request with an Idempotency-Key has done its work, and its transaction is still open. */
  | 'before keeping the answer'
  /** Inside a transaction that makes an id: of an audit entry, a journal, or a row. */
  | 'at the next id'
  // The points in the order in which a payout or a refund passes them. It also passes the settlement and the booking
  // above.
  | 'in the claim of a payout'
  | 'before signing'
  | 'after signing'
  | 'before the broadcast'
  | 'after the broadcast';

let armed: CrashPoint | null = null;
/** How often the process must pass the armed point until it crashes. */
let passesLeft = 0;
/** The crash around a commit waits for a transaction with a statement that contains this text. */
let write = '';
/** How often a point was set. */
let arms = 0;

/**
 * These points are followed by database work that makes no outside call. The process crashes when it next makes an id.
 */
const follows: Partial<Record<CrashPoint, CrashPoint>> = {
  'after verify': 'in the claim',
  'after settle': 'in the booking',
};
const coming = new Set<CrashPoint>();

function pass(point: CrashPoint): void {
  coming.delete(point);
  const next = follows[point];
  if (next) coming.add(next);
  if (armed !== point) return;
  passesLeft -= 1;
  if (passesLeft === 0) process.kill(process.pid, 'SIGKILL');
}

/** Every broadcast reaches the node by `fetch`. */
function crashAroundBroadcasts(): void {
  const send = globalThis.fetch;
  globalThis.fetch = async (...request) => {
    const { body } = request[1] ?? {};
    const broadcasts = typeof body === 'string' && body.includes('eth_sendRawTransaction');
    if (broadcasts) pass('before the broadcast');
    const response = await send(...request);
    if (broadcasts) pass('after the broadcast');
    return response;
  };
}

/** The ids and the other counted writes that each transaction made. Requests and other transactions make ids at the same time. */
type Made = { count: number; isMeant: boolean };
const idsMade = new AsyncLocalStorage<Made>();

/** Writes that make no id: versions of terms, and requests for a confirmation. */
const WITHOUT_IDS = ['insert into project_terms', 'set confirm_requested_at ='];
/** The last write of the transaction that claims a payout. */
const CLAIMS_PAYOUT = "update payouts set state = 'sending', sent_at";

function countingOthers(tx: Tx, made: Made): Tx {
  return new Proxy(tx, {
    apply(target, self, sent: unknown[]) {
      const text = Array.isArray(sent[0]) ? String(sent[0]) : '';
      if (text.includes(CLAIMS_PAYOUT)) pass('in the claim of a payout');
      if (WITHOUT_IDS.some((each) => text.includes(each))) made.count += 1;
      if (text.includes(write)) made.isMeant = true;
      return Reflect.apply(target, self, sent) as unknown;
    },
  });
}

/** Crashes around the commits of transactions that make an id or a write of WITHOUT_IDS. The timers' empty transactions make none. */
function crashAroundCommits(db: World['db']): World['db'] {
  const begin = async (work: Parameters<typeof withTransaction>[1]) => {
    // A transaction that began before the point was set is another one.
    const since = arms;
    let decided = false;
    const result = await db.begin(async (tx) => {
      const made = { count: 0, isMeant: false };
      const done = await idsMade.run(made, () => work(countingOthers(tx, made)));
      decided = made.count > 0 && made.isMeant && since === arms;
      if (decided) pass('before the commit');
      return done;
    });
    if (decided) pass('after the commit');
    return result;
  };
  return new Proxy(db, { get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)) });
}

function crashing(world: World): World {
  const { facilitator, chain, storage, treasury, answerSeals } = world;
  return {
    ...world,
    db: crashAroundCommits(world.db),
    facilitator: {
      ...facilitator,
      async verify(payment) {
        pass('before verify');
        const verification = await facilitator.verify(payment);
        pass('after verify');
        return verification;
      },
      async settle(payment, prepared) {
        pass('before settle');
        const settlement = await facilitator.settle(payment, prepared);
        pass('with the lane taken');
        pass('after settle');
        // The service skips the receipt check if it has a proof of our own node. A remote facilitator gives none.
        if (armed === 'after the receipt check') delete settlement.proof;
        return settlement;
      },
    },
    chain: {
      ...chain,
      async transaction(txHash, query) {
        const outcome = await chain.transaction(txHash, query);
        pass('after the receipt check');
        return outcome;
      },
    },
    storage: {
      ...storage,
      async presignUpload(grant) {
        pass('before presign');
        const url = await storage.presignUpload(grant);
        pass('after presign');
        return url;
      },
      // The first look at an uploaded file, once the request is recorded.
      async head(key) {
        pass('before reading');
        return await storage.head(key);
      },
      // Public copies are written in the background, at any time.
      async write(key, ...picture) {
        const keeps = key.startsWith('originals/');
        if (keeps) pass('before keeping');
        await storage.write(key, ...picture);
        if (keeps) pass('after keeping');
      },
    },
    treasury: {
      ...treasury,
      async authorize(transfer) {
        pass('before signing');
        const signed = await treasury.authorize(transfer);
        pass('after signing');
        return signed;
      },
    },
    answerSeals: {
      of(...given) {
        const seal = answerSeals.of(...given);
        return {
          ...seal,
          seal(answer) {
            pass('before keeping the answer');
            return seal.seal(answer);
          },
        };
      },
    },
    // The transaction that claims a payment makes the payment's id. The transaction that books it makes the journal's
    // id.
    newId() {
      for (const point of coming) pass(point);
      pass('at the next id');
      const made = idsMade.getStore();
      if (made) made.count += 1;
      return world.newId();
    },
  };
}

async function s3Storage(options: NonNullable<World['config']['s3']>): Promise<World['storage']> {
  const { createS3Storage } = await import('../../../server/storage/s3.ts');
  return createS3Storage(options);
}

async function consoleFiles() {
  const { readConsole } = await import('../../../server/http/pages/console-files.ts');
  return await readConsole();
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServiceSettings;
const { operatorKey, port, paymentTimes, inspectionTimes } = settings;
// Half of the default: each connection costs 30 ms of CPU, and the jobs open all of them at each start.
const db = createPool({ url: settings.databaseUrl, connections: 5 });
const {
  world: whole,
  storage,
  close,
} = await assemble({
  ...settings,
  config: readConfig({ NODE_ENV: 'test', ...settings.env }),
  db,
  clock: { now: () => new Date() },
  log: pino({ level: 'error' }),
  url: `http://127.0.0.1:${port}`,
  uploadSigningKey: Buffer.from(settings.uploadSigningKeyHex, 'hex'),
});
const { handleUpload } = storage;
const { s3 } = whole.config;
const world = s3 ? { ...whole, storage: await s3Storage(s3) } : whole;
const limits = await connectLimits(world.config, world);
crashAroundBroadcasts();
const service = createService(crashing(world), {
  operatorKey,
  handleUpload,
  ...(paymentTimes ? { paymentTimes } : {}),
  ...(inspectionTimes ? { inspectionTimes } : {}),
  ...(limits ? { limits } : {}),
  ...(settings.console ? { console: await consoleFiles() } : {}),
});
const app = {
  ...service.app,
  async fetch(...request: Parameters<typeof service.app.fetch>) {
    const response = await service.app.fetch(...request);
    if (response.ok) pass('before the answer');
    return response;
  },
};
const listener = await listen(app, { host: '127.0.0.1', port });
const jobs = service.startJobs();
// A killed process does not write its compile cache at exit, so write it now.
flushCompileCache();

process.on('message', (message: { crashAt: CrashPoint; passes: number; write: string }) => {
  armed = message.crashAt;
  passesLeft = message.passes;
  write = message.write;
  arms += 1;
  coming.clear();
  process.send?.({ crashAt: armed });
});
// The test process has ended.
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => {
  void (async () => {
    await listener.close(1_000);
    await jobs.stop();
    service.app.stop();
    await close();
    await db.end({ timeout: 1 });
    process.exit();
  })();
});
