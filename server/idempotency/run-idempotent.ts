import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../contract/errors.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { JsonText } from '../serve.ts';
import { claimKey, findAnswer, keepAnswer, tryLockKey } from './queries.ts';
import type { Once } from '../ports/idempotency.ts';
import type { Db, Tx } from '../ports/database.ts';

const KEPT_MS = 24 * 3_600_000;
const POLL_MS = 50;
/** How long a request waits for another one with its key. */
export const WAIT_MS = 2_000;

/** Somebody else did it meanwhile: what was answered then is the answer now. */
export class AnsweredBefore extends Error {
  readonly answer: JsonText;

  constructor(answer: JsonText) {
    super('the request was answered before');
    this.name = 'AnsweredBefore';
    this.answer = answer;
  }
}

/** Keys that are older are forgotten. */
export function rememberedSince(now: Date): Date {
  return new Date(now.getTime() - KEPT_MS);
}

/**
 * The answer that this key was given before, word for word; null when it is new.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when it came with another request
 */
export async function answerGiven({ db, clock }: Pick<Deps, 'db' | 'clock'>, once: Once): Promise<JsonText | null> {
  const stored = await findAnswer(db, once.seal.id, rememberedSince(clock.now()));
  if (!stored) return null;
  if (!stored.fingerprint.equals(once.fingerprint))
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was sent with another request. A new request needs a new key.',
    );
  once.replayed = true;
  return new JsonText(once.seal.open(stored.answer));
}

type Outcome<T> = { answer: T } | 'in progress' | 'done before';

/**
 * Runs the work of a verb in one transaction, like `withTransaction`; `work` returns the verb's answer. With an
 * Idempotency-Key the answer is written in the same transaction: whatever dies, there are both or neither. A refusal is
 * thrown, has done nothing and leaves nothing. Whoever comes at the same time waits shortly for the first one's answer.
 *
 * @throws AnsweredBefore with that answer, or DomainError IDEMPOTENCY_IN_PROGRESS
 */
export async function doOnce<T>(
  { db, clock, once }: { db: Db; clock: Deps['clock']; once?: Once },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!once) return await withTransaction(db, work);
  const { seal, fingerprint, shape } = once;
  for (let waited = 0; waited <= WAIT_MS; waited += POLL_MS) {
    const outcome = await withTransaction(db, async (tx): Promise<Outcome<T>> => {
      const now = clock.now();
      if (!(await tryLockKey(tx, seal.id))) return 'in progress';
      if (!(await claimKey(tx, { id: seal.id, fingerprint, now, since: rememberedSince(now) }))) return 'done before';
      const answer = await work(tx);
      await keepAnswer(tx, seal.id, seal.seal(JSON.stringify(shape(answer))));
      return { answer };
    });
    if (typeof outcome === 'object') return outcome.answer;
    const given = outcome === 'done before' ? await answerGiven({ db, clock }, once) : null;
    if (given) throw new AnsweredBefore(given);
    await sleep(POLL_MS);
  }
  throw inProgress();
}

export function inProgress(): DomainError {
  return new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'Another request with this Idempotency-Key is being worked on. Send the same request again.',
    { retryAfterSeconds: 1 },
  );
}
