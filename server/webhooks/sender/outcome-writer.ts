import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { healthChanges, type Seen, writeHealth } from './endpoint-health.ts';
import { type Attempt, insertAttempts, type SettledRetry, settleRetries } from './outcome-queries.ts';

const BATCH = 250;
const TRIES = 5;

/** What came of a retry, or of a first attempt that outlasted its batch. */
export type Settled = { retry: SettledRetry; attempts: Attempt[]; seen: Seen | null };

export type Settler = {
  add(settled: Settled): void;
  /** Also used for the first attempts, which write their outcomes with the cursor. */
  learn(seen: Seen[]): Promise<void>;
  /** Ends when everything is written. */
  drain(): Promise<void>;
};

/** Writes outcomes together: while one transaction is under way, the next ones gather. */
export function createSettler({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Settler {
  const waiting: Settled[] = [];
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;

  async function learn(seen: Seen[]): Promise<void> {
    const changes = healthChanges(seen);
    if (!changes) return;
    try {
      const disabled = await writeHealth(db, changes, clock.now());
      if (disabled > 0) log.info({ disabled }, 'webhooks were disabled');
    } catch (error) {
      // It is learnt again from the next attempt.
      log.error({ err: error }, 'the health of webhooks could not be written');
    }
  }

  async function write(batch: Settled[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await withTransaction(db, async (tx) => {
          await Promise.all([
            settleRetries(
              tx,
              batch.map(({ retry }) => retry),
            ),
            insertAttempts(
              tx,
              batch.flatMap(({ attempts }) => attempts),
            ),
          ]);
        });
        break;
      } catch (error) {
        log.error({ err: error, deliveries: batch.length }, 'outcomes of webhooks could not be written');
        // Their leases run out, and they are sent again, with the same id.
        if (tries === TRIES) return;
        await sleep(100 * 3 ** tries);
      }
    }
    await learn(batch.flatMap(({ seen }) => seen ?? []));
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, BATCH));
    isWriting = false;
  }

  return {
    learn,
    add(settled) {
      waiting.push(settled);
      if (!isWriting) writing = writeAll();
    },
    drain: () => writing,
  };
}
