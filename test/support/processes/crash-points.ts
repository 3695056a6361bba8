import { AsyncLocalStorage } from 'node:async_hooks';
import type { withTransaction } from '../../../server/db/transaction.ts';
import type { World } from '../../../server/deps.ts';
import type { Tx } from '../../../server/ports/database.ts';

// The points at which a service kills itself by SIGKILL. A process has one armed point.

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
  /**
   * A transaction that made an id, such as that of an audit entry, or a write of WITHOUT_IDS has done its work; or it
   * has committed.
   */
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

/** A crash that a test asks for: the point, how often the process passes it first, and the write that a commit must contain. */
export type Crash = { crashAt: CrashPoint; passes: number; write: string };

/** Sets the point at which the process crashes next. */
export function arm(crash: Crash): void {
  armed = crash.crashAt;
  passesLeft = crash.passes;
  write = crash.write;
  arms += 1;
  coming.clear();
}

/** Returns whether the process crashes at this point. */
export function isArmed(point: CrashPoint): boolean {
  return armed === point;
}

/**
 * These points are followed by database work that makes no outside call. The process crashes when it next makes an id.
 */
const follows: Partial<Record<CrashPoint, CrashPoint>> = {
  'after verify': 'in the claim',
  'after settle': 'in the booking',
};
const coming = new Set<CrashPoint>();

/** Crashes the process if this is the armed point, and it was passed often enough. */
export function pass(point: CrashPoint): void {
  coming.delete(point);
  const next = follows[point];
  if (next) coming.add(next);
  if (armed !== point) return;
  passesLeft -= 1;
  if (passesLeft === 0) process.kill(process.pid, 'SIGKILL');
}

/** Every broadcast reaches the node by `fetch`. */
export function crashAroundBroadcasts(): void {
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

/**
 * The ids and the other counted writes that each transaction made, and the value of `arms` when it sent the write that
 * the crash waits for. A timer's transaction may begin before the point is set, and then find what the test made due.
 * Without a named write, the transaction counts only if it began after the point was set. Requests and other
 * transactions make ids at the same time.
 */
type Made = { count: number; meantAt: number | null };
const idsMade = new AsyncLocalStorage<Made>();

/** Writes that make no id: of terms, confirmations, the AI judge, and webhooks that have never succeeded. */
const WITHOUT_IDS = [
  'insert into project_terms',
  'set confirm_requested_at =',
  'update ai_judging set state =',
  'webhooks w set verified_at =',
  'update webhook_retries set due_at = null',
  'partition by webhook_id order by event_id',
];
/** Writes that are statements of their own, without a transaction around them. In a transaction, they belong to another act. */
const ALONE = ['insert into ai_scores as kept', "update payouts set state = 'ready', note = null"];
const isAlone = (text: string) => ALONE.some((each) => text.includes(each));
/** The last write of the transaction that claims a payout. */
const CLAIMS_PAYOUT = "update payouts set state = 'sending', sent_at";

const textOf = (sent: unknown[]) => (Array.isArray(sent[0]) ? String(sent[0]) : '');

function countingOthers(tx: Tx, made: Made, began: number): Tx {
  return new Proxy(tx, {
    apply(target, self, sent: unknown[]) {
      const text = textOf(sent);
      if (text.includes(CLAIMS_PAYOUT)) pass('in the claim of a payout');
      if (WITHOUT_IDS.some((each) => text.includes(each))) made.count += 1;
      if (text.includes(write) && !isAlone(text)) made.meantAt = write === '' ? began : arms;
      return Reflect.apply(target, self, sent) as unknown;
    },
  });
}

/**
 * Crashes around the commits of transactions that make an id or a write of WITHOUT_IDS. The timers' empty transactions
 * make none.
 */
export function crashAroundCommits(db: World['db']): World['db'] {
  const begin = async (work: Parameters<typeof withTransaction>[1]) => {
    const began = arms;
    const made: Made = { count: 0, meantAt: null };
    const isCounted = () => made.count > 0 && made.meantAt === arms;
    const result = await db.begin(async (tx) => {
      const done = await idsMade.run(made, () => work(countingOthers(tx, made, began)));
      if (isCounted()) pass('before the commit');
      return done;
    });
    // The point may have been set during the commit.
    if (isCounted()) pass('after the commit');
    return result;
  };
  /**
   * Gives a statement of ALONE a transaction, so that the process can crash before its commit. Crashes only if it
   * changes rows.
   */
  const alone = async (sent: unknown[]) => {
    let meantAt: number | null = null;
    const result = await db.begin(async (tx) => {
      const sentAt = arms;
      const changed = (await Reflect.apply(tx, tx, sent)) as { count: number };
      if (write !== '' && textOf(sent).includes(write) && changed.count > 0) meantAt = sentAt;
      if (meantAt === arms) pass('before the commit');
      return changed;
    });
    if (meantAt === arms) pass('after the commit');
    return result;
  };
  return new Proxy(db, {
    apply: (target, self, sent: unknown[]) =>
      isAlone(textOf(sent)) ? alone(sent) : (Reflect.apply(target, self, sent) as unknown),
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  });
}

/** Passes the points at which a transaction makes an id. */
export function passAtId(): void {
  for (const point of coming) pass(point);
  pass('at the next id');
  const made = idsMade.getStore();
  if (made) made.count += 1;
}
