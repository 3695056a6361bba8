/** Why a request has no complete response. */
export type RequestFailure = 'refused_address' | 'dns' | 'connection' | 'tls' | 'timeout' | 'too_large';

/** Ends a request early. The client catches it and reports its `failure`. */
export class RequestError extends Error {
  readonly failure: RequestFailure;

  constructor(failure: RequestFailure) {
    super(failure);
    this.failure = failure;
  }
}
