import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { JsonText } from '../serve.ts';
import { claimKey, findAnswer, keepAnswer, tryLockKey, deleteKeysUntil } from './queries.ts';
import type { IdempotentCall } from './types.ts';
import type { Db, Tx } from '../db/database.ts';

const RETENTION_MS = 24 * 3_600_000;
const POLL_MS = 50;
/** How long a request waits for another one with its key, in milliseconds. */
const WAIT_MS = 2_000;

/** Another request with the same key ran first. Its answer is the answer of this request too. */
export class AlreadyAnswered extends Error {
  readonly answer: JsonText;

  constructor(answer: JsonText) {
    super('the request was answered before');
    this.name = 'AlreadyAnswered';
    this.answer = answer;
  }
}

/** Returns the time before which keys have expired. */
function rememberedSince(now: Date): Date {
  return new Date(now.getTime() - RETENTION_MS);
}

/**
 * Returns the stored answer of this key, word for word, or null for a new key. Marks the call as `replayed`.
 *
 * @throws DomainError IDEMPOTENCY_KEY_REUSED when the key came with another request, or when no SECRETS_KEY opens the
 * answer any more
 */
export async function findReplay(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  call: IdempotentCall,
): Promise<JsonText | null> {
  const { seal, fingerprint } = call;
  const stored = await findAnswer(db, seal.id, rememberedSince(clock.now()));
  if (!stored) return null;
  if (!stored.fingerprint.equals(fingerprint))
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was sent with another request. A new request needs a new key.',
    );
  call.replayed = true;
  return new JsonText(opened(seal, stored.answer));
}

/** The operator can end a SECRETS_KEY at once. Then the answers under it are lost, but no request runs twice. */
function opened(seal: IdempotentCall['seal'], answer: Buffer): string {
  try {
    return seal.open(answer);
  } catch {
    throw new DomainError(
      'IDEMPOTENCY_KEY_REUSED',
      'The request with this Idempotency-Key was done, but its answer cannot be read any more. Look at what it did. A new request needs a new key.',
    );
  }
}

type Outcome<T> = { answer: T } | 'in progress' | 'done before';

/**
 * Runs the work of a verb in one transaction, like `withTransaction`. With an Idempotency-Key it stores the answer in
 * the same transaction, so a crash leaves both or neither. A thrown refusal stores nothing. A concurrent request with
 * the same key waits up to 2 s for the answer of the first.
 *
 * @throws AlreadyAnswered with the answer of the other request
 * @throws DomainError IDEMPOTENCY_IN_PROGRESS when the other request takes longer
 */
export async function runIdempotent<T>(
  { db, clock, idempotentCall: call }: { db: Db; clock: Deps['clock']; idempotentCall?: IdempotentCall },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!call) return await withTransaction(db, work);
  const { seal, fingerprint, shape } = call;
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
    const stored = outcome === 'done before' ? await findReplay({ db, clock }, call) : null;
    if (stored) throw new AlreadyAnswered(stored);
    await sleep(POLL_MS);
  }
  throw new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'Another request with this Idempotency-Key is still running. Send the same request again.',
    { retryAfterSeconds: 1 },
  );
}

const BATCH = 1_000;

/** Deletes expired keys in batches, and returns their number. Several processes can run it at the same time. */
export async function removeOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<number> {
  const until = rememberedSince(clock.now());
  let removed = 0;
  while (!stopping.aborted) {
    const count = await deleteKeysUntil(db, until, BATCH);
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}
