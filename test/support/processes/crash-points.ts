import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { withTransaction } from '../../../server/db/transaction.ts';
import type { World } from '../../../server/deps.ts';
import type { Tx } from '../../../server/db/database.ts';

// The points at which a service kills itself by SIGKILL. A process has one armed point.

export type CrashPoint =
  // The points in the order in which a paid request passes them.
  | 'in the claim'
  | 'before settle'
  | 'after settle'
  | 'in the booking'
  // The points of a confirmation.
  | 'before reading'
  | 'after keeping'
  | 'before the answer'
  /** A transaction that sent the named write has done its work; or it has committed. */
  | 'before the commit'
  | 'after the commit'
  // A payout or a refund passes the settlement and the booking above, too.
  | 'in the claim of a payout'
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

/**
 * These points are followed by database work that makes no outside call. The process crashes when it next makes an id.
 */
const follows: Partial<Record<CrashPoint | 'after verify', CrashPoint>> = {
  'after verify': 'in the claim',
  'after settle': 'in the booking',
};
const coming = new Set<CrashPoint>();

/** Crashes the process if this is the armed point, and it was passed often enough. */
export function pass(point: CrashPoint | 'after verify'): void {
  const next = follows[point];
  if (next) coming.add(next);
  if (armed !== point) return;
  passesLeft -= 1;
  if (passesLeft === 0) process.kill(process.pid, 'SIGKILL');
}

/** Every broadcast reaches the node by undici, which tells of each request and each whole answer. */
export function crashAfterBroadcasts(): void {
  const broadcasts = new WeakSet<object>();
  subscribe('undici:request:create', (message) => {
    const { request } = message as { request: { body: unknown } };
    if (String(request.body).includes('eth_sendRawTransaction')) broadcasts.add(request);
  });
  subscribe('undici:request:trailers', (message) => {
    const { request } = message as { request: object };
    if (broadcasts.has(request)) pass('after the broadcast');
  });
}

/**
 * How many ids a transaction made, and the value of `arms` when it sent the write that the crash waits for. A timer's
 * transaction may begin before the point is set, and then find what the test made due. Without a named write, the
 * transaction counts only if it began after the point was set and made an id.
 */
type Made = { ids: number; meantAt: number | null };
const made = new AsyncLocalStorage<Made>();

/** The last write of the transaction that claims a payout. */
const CLAIMS_PAYOUT = "update payouts set state = 'sending', sent_at";

const textOf = (sent: unknown[]) => (Array.isArray(sent[0]) ? String(sent[0]) : '');

function watched(tx: Tx, own: Made, began: number): Tx {
  return new Proxy(tx, {
    apply(target, self, sent: unknown[]) {
      const text = textOf(sent);
      if (text.includes(CLAIMS_PAYOUT)) pass('in the claim of a payout');
      if (text.includes(write)) own.meantAt = write === '' ? began : arms;
      return Reflect.apply(target, self, sent) as unknown;
    },
  });
}

/** Crashes around the commits of transactions that sent the named write, or made an id. */
export function crashAroundCommits(db: World['db']): World['db'] {
  const begin = async (work: Parameters<typeof withTransaction>[1]) => {
    const began = arms;
    const own: Made = { ids: 0, meantAt: null };
    const isMeant = () => own.meantAt === arms && (write !== '' || own.ids > 0);
    const result = await db.begin(async (tx) => {
      const done = await made.run(own, () => work(watched(tx, own, began)));
      if (isMeant()) pass('before the commit');
      return done;
    });
    // The point may have been set during the commit.
    if (isMeant()) pass('after the commit');
    return result;
  };
  return new Proxy(db, {
    get: (target, name) => (name === 'begin' ? begin : (Reflect.get(target, name) as unknown)),
  });
}

/** Passes the points at which a transaction makes an id. */
export function passAtId(): void {
  for (const point of coming) {
    coming.delete(point);
    pass(point);
  }
  const own = made.getStore();
  if (own) own.ids += 1;
}
