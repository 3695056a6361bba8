import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import type { Tx } from '../../db/database.ts';

/**
 * Clocks of processes may differ by this much, and a clock may be set back by this much. A publication then takes the
 * time of the newest one. After a larger step, publications follow the clock again, or they would lie in the future.
 */
const MAX_STEP_MS = 5_000;
/** A publication that is confirmed later than this after its time is late. `search-times.ts` says what follows. */
const LATE_AFTER_MS = 250;

/** `unconfirmed` is the time of the newest publication until another transaction, which has the lock, confirms it. */
type PublicationClock = { newest: Date; unconfirmed: Date | null };

/**
 * Takes the time of a publication, and makes other publications wait until this one commits. So publications commit in
 * the order of their times. Take it as late as possible in the transaction.
 */
export async function takePublicationTime(tx: Tx, { clock }: Pick<Deps, 'clock'>): Promise<Date> {
  const [known] = await tx<[PublicationClock]>`
    select newest_at as newest, unconfirmed_at as unconfirmed from publication_clock for update`;
  // Read under the lock: a time from before the wait could be older than that of the publication before.
  const now = clock.now();
  const isBehind = now < known.newest && known.newest.getTime() - now.getTime() <= MAX_STEP_MS;
  const at = isBehind ? known.newest : now;
  await Promise.all([
    rememberLate(tx, known, at),
    tx`update publication_clock set newest_at = ${at}, unconfirmed_at = ${at}`,
  ]);
  return at;
}

/**
 * Moves the publication clock forward while nothing is published, so that the horizon of searches follows the time. It
 * confirms the newest publication. It never waits for a publication in progress: that one sets the clock itself.
 *
 * A process calls it after the commit of a publication, and a job calls it each second. So the next run of the job
 * confirms the publication of a process that was killed.
 */
export async function advancePublicationClock({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await withTransaction(db, async (tx) => {
    const [known] = await tx<PublicationClock[]>`
      select newest_at as newest, unconfirmed_at as unconfirmed from publication_clock for update skip locked`;
    // Read under the lock: the publication had not committed at every earlier time.
    const now = clock.now();
    if (!known || known.newest > now) return;
    await Promise.all([
      rememberLate(tx, known, now),
      tx`update publication_clock set newest_at = ${now}, unconfirmed_at = null`,
    ]);
  });
}

// Not `async`, or the driver would send this statement after the one that it belongs with.
function rememberLate(tx: Tx, { unconfirmed }: PublicationClock, listedBy: Date): PromiseLike<unknown> | null {
  if (!unconfirmed || listedBy.getTime() - unconfirmed.getTime() <= LATE_AFTER_MS) return null;
  // The same pair of times again says the same.
  return tx`
    insert into late_publications (published_at, listed_by) values (${unconfirmed}, ${listedBy}) on conflict do nothing`;
}
