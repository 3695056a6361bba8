import type { Deadline } from './deadline.ts';
import type { DeliveryFailure } from '../ports/webhooks.ts';

/** Ends an attempt early; `deliver` makes an outcome of it. */
export class AttemptFailed extends Error {
  readonly failure: DeliveryFailure;

  constructor(failure: DeliveryFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/** As the promise, or `timeout` when the attempt's time is over before. */
export function withinAttempt<T>(promise: Promise<T>, deadline: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new AttemptFailed('timeout'));
    if (deadline.aborted) return onAbort();
    deadline.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => deadline.removeEventListener('abort', onAbort));
  });
}
