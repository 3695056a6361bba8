import { connect, type Request, type ServiceOptions } from './service.ts';

/** Sends any request of the service. */
export type Client = {
  /** The key that the requests carry. */
  readonly key: string | undefined;
  /**
   * Sends a request and returns its `data`. It repeats the request while the service cannot answer. A POST that creates
   * something needs an `idempotency-key` for that.
   *
   * @param path such as `/agents/me/webhooks`
   * @throws ConcoursError
   */
  call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, request?: Request): Promise<T>;
};

/** For operations without a call of their own in this package, such as webhooks, contact addresses, and the operator's. */
export function createClient(options: ServiceOptions): Client {
  const service = connect(options);
  return {
    get key() {
      return service.key;
    },
    call: (method, path, request) => service.call(method, path, request),
  };
}
