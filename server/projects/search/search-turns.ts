import { DomainError } from '../../../contract/basics/errors.ts';
import { limitKey } from '../../addresses.ts';
import { DatabaseError } from '../../db/public.ts';
import type { Context } from '../../deps.ts';
import type { Db } from '../../ports/database.ts';

const MAX_WAIT_MS = 1_000;
const RETRY_SECONDS = 1;
/** PostgreSQL ended the statement after the time limit of its pool. */
const QUERY_CANCELED = '57014';

/** Runs at most `limit` works at a time, in the order of their calls. A work that waits for 1 s is refused. */
class Turns {
  readonly #limit: number;
  readonly #queue = new Set<() => void>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  async run<T>(work: () => Promise<T>, refusal: string): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await this.#wait(refusal);
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  async #wait(refusal: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#queue.add(resolve);
    const timer = setTimeout(() => {
      this.#queue.delete(resolve);
      reject(busy(refusal));
    }, MAX_WAIT_MS);
    await promise.finally(() => clearTimeout(timer));
  }

  /** Gives the turn to the next work, or frees it. */
  #passOn(): void {
    const [next] = this.#queue;
    if (next) {
      this.#queue.delete(next);
      next();
    } else this.#running -= 1;
  }
}

/** The turns of one process, for each pool of searches: two databases in one process (tests) share none. */
const callersOf = new WeakMap<Db, Map<string, Turns>>();
const slotsOf = new WeakMap<Db, Turns>();

type TurnContext = Pick<Context, 'searches' | 'config' | 'caller' | 'remoteAddress'>;

/**
 * Runs a search in one of the turns of its caller, so that one caller cannot occupy the connections of all.
 *
 * @throws DomainError SEARCH_BUSY after 1 s without a free turn
 */
export async function inSearchTurn<T>(ctx: TurnContext, search: () => Promise<T>): Promise<T> {
  const callers = callersOf.get(ctx.searches) ?? new Map<string, Turns>();
  callersOf.set(ctx.searches, callers);
  const key = keyOf(ctx);
  const { perCaller } = ctx.config.search;
  const turns = callers.get(key) ?? new Turns(perCaller);
  callers.set(key, turns);
  try {
    return await turns.run(search, `You already run ${perCaller} searches. Wait for their answers, then search again.`);
  } finally {
    if (turns.isIdle) callers.delete(key);
  }
}

function keyOf({ caller, remoteAddress }: TurnContext): string {
  return caller.kind === 'agent' ? caller.agentId : limitKey(remoteAddress);
}

/**
 * Runs a statement that may read many rows on the pool of searches, at most one for each connection. The driver would
 * send more of them to busy connections, where they wait for their turn without a limit.
 *
 * @throws DomainError SEARCH_BUSY after 1 s without a connection, or when PostgreSQL ended the statement
 */
export async function onSearchPool<T>(searches: Db, work: (db: Db) => PromiseLike<T>): Promise<T> {
  const slots = slotsOf.get(searches) ?? new Turns(searches.connections);
  slotsOf.set(searches, slots);
  return await slots.run(() => inTime(() => work(searches)), 'Too many searches run at the moment. Try again shortly.');
}

/** Runs a statement of a search. @throws DomainError SEARCH_BUSY when PostgreSQL ended it */
export async function inTime<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== QUERY_CANCELED) throw error;
    throw busy(
      'The search took too long and was ended. Use cursor for later pages, or fewer filters, specializations, and statuses.',
      error,
    );
  }
}

function busy(message: string, cause?: unknown): DomainError {
  return new DomainError('SEARCH_BUSY', message, { retryAfterSeconds: RETRY_SECONDS, cause });
}
