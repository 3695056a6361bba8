import { ConcoursError, type ErrorDetail } from './errors.ts';

/** The part of `fetch` that this package uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Where the service is, and how to call it. */
export type ServiceOptions = {
  /** The address of the service, such as `https://market.example`. */
  url: string;
  /** The API key. `register` sets it, too. */
  key?: string | undefined;
  /** Sends all requests, uploads and downloads included. Default: the global `fetch`. */
  fetch?: Fetch | undefined;
  /** How long a request is repeated while the service cannot answer it, in seconds. Default: 300. */
  retrySeconds?: number | undefined;
  /** Aborts every call. A later call continues what was begun. */
  signal?: AbortSignal | undefined;
};

/** The optional parts of a request. */
export type Request = {
  query?: Record<string, string | number | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Called before each wait. */
  onWait?: ((error: ConcoursError, seconds: number) => void) | undefined;
};

export type Refusal = {
  error: ConcoursError;
  /** Whether the signed payment of the request failed before or came too late: money that it moves goes back. */
  authorizationFailed: boolean;
  data?: never;
};

/** `error` is set if the service refused the request, and would refuse it again. */
export type Exchange<T> = { headers: Headers } & ({ data: T; error?: never } | Refusal);

/** A client of one service with one key. */
export type Service = {
  key: string | undefined;
  /** Sends a request that is safe to repeat, until the service answers it. @throws ConcoursError */
  call<T>(method: string, path: string, request?: Request): Promise<T>;
  /** As `call`, but returns a refusal. @throws ConcoursError if no answer came in time */
  exchange<T>(method: string, path: string, request?: Request): Promise<Exchange<T>>;
  /** Sends GET, and returns the answer before its body has come. @throws ConcoursError NO_ANSWER */
  open(path: string, request: Request): Promise<Response>;
  /** Sends one upload or download. @throws ConcoursError NO_ANSWER; the reason of the caller who aborted */
  transfer(url: string, init: RequestInit, signal?: AbortSignal): Promise<Response>;
  /** @throws the reason of the caller who aborted */
  throwIfAborted(signal?: AbortSignal): void;
  /** Repeats `send` while it fails for a time. */
  retry<T>(send: () => Promise<T>, request?: Pick<Request, 'signal' | 'onWait'>): Promise<T>;
};

const RETRY_SECONDS = 300;
/** Longer than the service takes for any answer: 20 s, or 60 s for a paid request. */
const TIMEOUT_MS = 75_000;
/** How long the headers of a stream may take. A proxy may hold them back until the body ends. */
const OPEN_MS = 45_000;
/** As long as the service takes an upload; a download of 20 MB takes 160 s at its lowest speed. `retry` can still repeat it. */
const TRANSFER_MS = 280_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

export function connect(options: ServiceOptions): Service {
  const { url, key, fetch: given, retrySeconds = RETRY_SECONDS } = options;
  const root = `${url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;
  const send: Fetch = given ?? ((input, init) => fetch(input, init));

  const headersOf = ({ body, headers }: Request) => ({
    ...(service.key ? { authorization: `Bearer ${service.key}` } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  });

  const once = async <T>(method: string, path: string, request: Request): Promise<Exchange<T>> => {
    const { body } = request;
    const response = await reach(send, `${root}${path}${queryOf(request.query)}`, {
      method,
      headers: headersOf(request),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: either(options.signal, request.signal),
    });
    const read = await readAnswer<T>(response);
    if (read.error && isTemporary(read.error)) throw read.error;
    return read;
  };

  const service: Service = {
    key,
    async retry(work, { signal, onWait } = {}) {
      const aborted = either(options.signal, signal);
      // Not the wall clock, which may jump.
      const endMs = performance.now() + retrySeconds * 1000;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await work();
        } catch (error) {
          if (!(error instanceof ConcoursError) || !isTemporary(error)) throw error;
          const waitMs = pauseOf(error, attempt);
          if (performance.now() + waitMs > endMs) throw error;
          onWait?.(error, waitMs / 1000);
          await pause(waitMs, aborted);
        }
      }
    },
    async open(path, request) {
      const address = `${root}${path}${queryOf(request.query)}`;
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new Error('no headers in time')), OPEN_MS);
      const signal = AbortSignal.any([limit.signal, either(options.signal, request.signal) ?? limit.signal]);
      try {
        return await send(address, { headers: headersOf(request), signal });
      } catch (cause) {
        service.throwIfAborted(request.signal);
        throw noAnswer(address, cause);
      } finally {
        clearTimeout(timer);
      }
    },
    transfer: (to, init, signal) => reach(send, to, { ...init, signal: either(options.signal, signal) }, TRANSFER_MS),
    throwIfAborted: (signal) => either(options.signal, signal)?.throwIfAborted(),
    exchange: (method, path, request = {}) => service.retry(() => once(method, path, request), request),
    async call<T>(method: string, path: string, request?: Request) {
      const { data, error } = await service.exchange<T>(method, path, request);
      if (error) throw error;
      return data;
    },
  };
  return service;
}

function either(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | null {
  return first && second ? AbortSignal.any([first, second]) : (first ?? second ?? null);
}

/** Sends one request. @throws ConcoursError NO_ANSWER; the signal's reason if the caller aborted */
async function reach(send: Fetch, url: string, init: RequestInit, limitMs = TIMEOUT_MS): Promise<Response> {
  const { signal } = init;
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await send(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    // The body belongs to the answer: a connection that breaks here leaves the outcome as unknown as an earlier break.
    const bytes = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
  } catch (cause) {
    signal?.throwIfAborted();
    throw noAnswer(url, cause);
  }
}

function noAnswer(url: string, cause: unknown): ConcoursError {
  const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : String(cause);
  return new ConcoursError('NO_ANSWER', `${new URL(url).origin} did not answer: ${reason}`, { cause });
}

type Envelope<T> = {
  success?: boolean;
  data?: T;
  error?: { code: string; message: string; details?: ErrorDetail[]; request_id?: string } | null;
  authorization_failed?: boolean;
};

export async function readAnswer<T>(response: Response): Promise<Exchange<T>> {
  const { status, headers } = response;
  const text = await response.text();
  const retryAfter = secondsOf(headers.get('retry-after'));
  try {
    const { success, data, error, authorization_failed: failed } = JSON.parse(text) as Envelope<T>;
    if (success && data !== undefined) return { headers, data };
    if (error) {
      const { code, message, details, request_id: requestId } = error;
      const refusal = new ConcoursError(code, message, { status, requestId, retryAfter, details });
      return { headers, error: refusal, authorizationFailed: failed === true };
    }
  } catch {
    // A proxy before the service may answer in HTML.
  }
  const message = `The answer with status ${status} is not one of Concours: ${text.slice(0, 200)}`;
  const error = new ConcoursError('BAD_ANSWER', message, { status, retryAfter });
  return { headers, error, authorizationFailed: false };
}

/** `Retry-After` is a number of seconds, or a date if a proxy wrote it. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

function isTemporary({ code, status }: ConcoursError): boolean {
  // The stored file is missing or changed, so that only the operator can help.
  if (code === 'DELIVERY_UNAVAILABLE') return false;
  return code === 'NO_ANSWER' || code === 'IDEMPOTENCY_IN_PROGRESS' || (status !== null && TEMPORARY.has(status));
}

/** The random part keeps clients apart that failed together. */
function pauseOf({ retryAfter }: ConcoursError, attempt: number): number {
  if (retryAfter !== null) return retryAfter * 1000 + Math.random() * FIRST_PAUSE_MS;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

/** @throws the signal's reason when it is aborted */
export async function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

function queryOf(query: Request['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
