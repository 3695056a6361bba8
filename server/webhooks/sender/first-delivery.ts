import type { RunningAttempt } from './delivery-attempt.ts';
import type { Slot } from './concurrency.ts';
import type { Attempt } from './outcome-queries.ts';
import type { Endpoint } from './sender-queries.ts';
import type { SharedParts } from './shared-parts.ts';
import { attemptNumber, FIRST_ATTEMPT, IMMEDIATE_RETRY, isGone, type SignableEvent } from '../delivery/public.ts';

/**
 * - `in flight`: its outcome is not known yet.
 * - `done`: its outcome is known.
 * - `deferred`: nothing was sent; a retry row lets another lane send it.
 * - `handed over`: it took too long for its batch; a leased retry row stands for it until its outcome is written.
 */
type State = 'in flight' | 'done' | 'deferred' | 'handed over';

/** The first attempt of an event at one endpoint, and the immediate retry that follows a failure. */
export class FirstDelivery {
  readonly endpoint: Endpoint;
  readonly attempts: Attempt[] = [];
  state: State = 'in flight';
  /** The last attempt made: FIRST_ATTEMPT or IMMEDIATE_RETRY. */
  retries = FIRST_ATTEMPT;
  endedAt: Date | null = null;
  #slot: Slot | null = null;
  #running: RunningAttempt | null = null;

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
  }

  /** Whether the delivery was started, although it may have been deferred since. */
  get wasStarted(): boolean {
    return this.#slot !== null;
  }

  /** Leaves the endpoint to another lane, because it is slow or busy, or has never succeeded. */
  defer(): void {
    this.state = 'deferred';
  }

  /** Sends the event. Resolves when the outcome is known, with the time of that. */
  async send({ deps, attempts, busy }: SharedParts, slot: Slot, event: SignableEvent): Promise<Date> {
    this.#slot = slot;
    busy.add(this.endpoint.id);
    for (const retries of [FIRST_ATTEMPT, IMMEDIATE_RETRY]) {
      this.#running = attempts.start(this.endpoint, event, attemptNumber(retries));
      const attempt = await this.#running.done;
      if (!attempt) break;
      this.attempts.push(attempt);
      this.retries = retries;
      const { outcome } = attempt;
      // After a timeout, the slow lane makes the immediate retry, so that it does not block fast endpoints.
      if (outcome.ok || outcome.failure === 'timeout' || isGone(outcome)) break;
    }
    busy.delete(this.endpoint.id);
    this.endedAt = deps.clock.now();
    if (this.state === 'in flight') this.state = this.#finalState();
    return this.endedAt;
  }

  isOverdue(limits: SharedParts['limits']): boolean {
    return this.state === 'in flight' && this.#slot !== null && limits.isOverdue(this.#slot);
  }

  /** Ends the wait for a delivery in flight. Returns false when nothing is in flight any more. */
  handOver(): boolean {
    // An attempt that waits for its network has sent nothing, so the delivery ends with the attempts before it.
    const isCanceled = this.#running?.cancelWait() ?? false;
    this.state = isCanceled ? this.#finalState() : 'handed over';
    return !isCanceled;
  }

  #finalState(): State {
    return this.attempts.length > 0 ? 'done' : 'deferred';
  }
}
