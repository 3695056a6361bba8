import type { Deps } from '../../deps.ts';
import type { FirstDeliveryLimits } from './concurrency.ts';
import type { AttemptDeps, DeliveryAttempts } from './delivery-attempt.ts';
import type { OutcomeWriter } from './outcome-writer.ts';

export type SenderDeps = AttemptDeps & Pick<Deps, 'db' | 'newId'>;

/** The parts that the lanes of one process share. */
export type SharedParts = {
  deps: SenderDeps;
  attempts: DeliveryAttempts;
  limits: FirstDeliveryLimits;
  outcomes: OutcomeWriter;
  /** Ids of the endpoints that this process is sending to. Each endpoint gets one delivery at a time. */
  busy: Set<string>;
  /** Aborts when the process stops: nothing more is started then. */
  stopping: AbortSignal;
  background: BackgroundWork;
};

/** Work that outlives the function that started it. A stop waits for it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();
  readonly #log: Deps['log'];

  constructor(log: Deps['log']) {
    this.#log = log;
  }

  add(work: Promise<unknown>): void {
    const running: Promise<unknown> = work
      .catch((error: unknown) => this.#log.error({ err: error }, 'sending a webhook failed'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  get running(): Iterable<Promise<unknown>> & { size: number } {
    return this.#running;
  }
}
