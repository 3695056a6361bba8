import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { type Observation, recordHealth } from './endpoint-health.ts';
import { type Attempt, insertAttempts, type SettledRetry, settleRetries } from './outcome-queries.ts';

const BATCH = 250;
const MAX_TRIES = 5;

/** The outcome of a retry, or of a first delivery that was handed over to a retry row. */
export type RetryOutcome = { retry: SettledRetry; attempts: Attempt[]; observation: Observation | null };

type WriterDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'newId'>;

/** Writes outcomes in batches: while one transaction runs, the next outcomes gather. */
export class OutcomeWriter {
  readonly #deps: WriterDeps;
  readonly #waiting: RetryOutcome[] = [];
  #writing: Promise<void> | null = null;
  readonly #onFree: () => void;

  /** @param onFree called when endpoints with events of the log may take their next one */
  constructor(deps: WriterDeps, onFree: () => void) {
    this.#deps = deps;
    this.#onFree = onFree;
  }

  add(outcome: RetryOutcome): void {
    this.#waiting.push(outcome);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when every outcome is written. */
  async drain(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0, BATCH));
    this.#writing = null;
  }

  async #write(batch: RetryOutcome[]): Promise<void> {
    const { db, log } = this.#deps;
    const retries = batch.map(({ retry }) => retry);
    const attempts = batch.flatMap((outcome) => outcome.attempts);
    for (let tries = 1; ; tries += 1) {
      try {
        await withTransaction(db, (tx) => Promise.all([settleRetries(tx, retries), insertAttempts(tx, attempts)]));
        break;
      } catch (error) {
        log.error({ err: error, deliveries: batch.length }, 'outcomes of webhook deliveries could not be written');
        // The leases expire, and the deliveries are sent again with the same id.
        if (tries === MAX_TRIES) return;
        await sleep(100 * 3 ** tries);
      }
    }
    // An endpoint gets one delivery at a time, so a burst of its events would otherwise wait for a poll between each.
    if (retries.some(({ stream }) => typeof stream === 'string')) this.#onFree();
    await recordHealth(
      this.#deps,
      batch.flatMap(({ observation }) => observation ?? []),
    );
  }
}
