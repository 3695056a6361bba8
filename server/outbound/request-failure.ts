/** Why a request has no complete response. */
export type RequestFailure = 'refused_address' | 'dns' | 'connection' | 'tls' | 'timeout' | 'too_large';

/** Ends a request early. The client catches it and reports its `failure`. */
export class RequestError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/**
 * Waits for a promise until the deadline.
 *
 * @throws RequestError `timeout` when the deadline comes first
 */
export function withDeadline<T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new RequestError('timeout'));
    if (deadline.aborted) {
      promise.catch(() => {});
      return onAbort();
    }
    deadline.addEventListener('abort', onAbort);
    promise.then(resolve, reject).finally(() => deadline.removeEventListener('abort', onAbort));
  });
}
