import type { z } from 'zod';
import type { ErrorCode } from '../../contract/basics/errors.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { operations } from '../../contract/operations.ts';
import { meaningOf } from '../messages/public.ts';
import { noteNoResponse, noteResponse } from './reachability.ts';

// Imports the contract as types only, so public pages load neither zod nor the schemas.

type Operations = typeof operations;

/** Every operation by its method and path, for example `GET /projects/{project_id}`. */
export type Routes = {
  [Id in keyof Operations as `${Uppercase<Operations[Id]['method']>} ${Operations[Id]['path']}`]: Operations[Id];
};
export type Route = keyof Routes;

type Named<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never;

type Params<O extends OperationSpec> = [Named<O['path']>] extends [never]
  ? unknown
  : { params: Record<Named<O['path']>, string> };
type Query<O> = O extends { query: infer Q extends z.ZodType }
  ? { query?: { [Name in keyof z.input<Q>]?: string | number | boolean | undefined } }
  : unknown;
type Body<O> = O extends { body: infer B extends z.ZodType }
  ? undefined extends z.input<B>
    ? { body?: z.input<B> }
    : { body: z.input<B> }
  : unknown;

/** The input of a request. `params` and `body` exist if the operation declares them. */
export type ApiInput<R extends Route> = Params<Routes[R]> &
  Query<Routes[R]> &
  Body<Routes[R]> & { headers?: Record<string, string>; signal?: AbortSignal };

/** The `data` of a route's response, as parsed JSON. */
export type ApiData<R extends Route> = z.output<Routes[R]['output']>;

/** The service's error codes, `OFFLINE` (no response), or `NOT_THE_SERVICE` (a response without the envelope). */
export type FailureCode = ErrorCode | 'OFFLINE' | 'NOT_THE_SERVICE';

/** A failed request: the error of the envelope, the status, and the headers. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly details: { field: string; message: string }[];
  /** The meaning of the code, in the language of the page; null if the message is in that language already. */
  readonly meaning: string | null;
  /** In seconds; null if the response has no `Retry-After`. */
  readonly retryAfter: number | null;
  /** A 402 carries the payment requirements in its headers. */
  readonly headers: Headers;
  readonly requestId: string | null;

  constructor(failure: {
    status: number;
    code: FailureCode;
    message: string;
    meaning?: string | null;
    details?: { field: string; message: string }[] | undefined;
    headers?: Headers;
  }) {
    super(failure.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details ?? [];
    this.meaning = failure.meaning ?? null;
    this.headers = failure.headers ?? new Headers();
    this.requestId = this.headers.get('x-request-id');
    const after = Number(this.headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(after) ? after : null;
  }
}

export type Api = {
  /** Sends a request and returns the response's data. @throws ApiError */
  call<R extends Route>(route: R, input: ApiInput<R>): Promise<ApiData<R>>;
};

type AnyInput = {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

/** The client. The browser adds the cookie of a session itself. */
export const api: Api = {
  async call<R extends Route>(route: R, input: ApiInput<R>) {
    const [method = '', path = ''] = route.split(' ');
    const { params, query, body, headers, signal } = input as AnyInput;
    const response = await send(urlOf(path, params, query), {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    noteServerTime(response.headers.get('date'));
    return await dataOf<ApiData<R>>(response);
  },
};

function urlOf(path: string, params: AnyInput['params'] = {}, query: AnyInput['query'] = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return `/api/v1${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** Requests that public/first.js started before this code loaded. Each one is used once. */
const earlyRequests =
  (globalThis as { concoursEarlyRequests?: Record<string, Promise<Response> | undefined> }).concoursEarlyRequests ?? {};

async function send(url: string, request: RequestInit): Promise<Response> {
  const { [url]: early } = earlyRequests;
  delete earlyRequests[url];
  try {
    // If the early request failed, send the request again.
    const earlyResponse = request.method === 'GET' && early ? await early.catch(() => null) : null;
    const response = earlyResponse ?? (await fetch(url, request));
    noteResponse();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteNoResponse();
    throw new ApiError({ status: 0, code: 'OFFLINE', message: '' });
  }
}

type Envelope = {
  success: boolean;
  data?: unknown;
  error: { code: ErrorCode; message: string; details?: { field: string; message: string }[] } | null;
};

async function dataOf<Data>(response: Response): Promise<Data> {
  const envelope = (await response.json().catch(() => null)) as Envelope | null;
  if (envelope?.success) return envelope.data as Data;
  throw await failureOf(response, envelope);
}

async function failureOf({ status, headers }: Response, envelope: Envelope | null): Promise<ApiError> {
  if (!envelope?.error) return new ApiError({ status, code: 'NOT_THE_SERVICE', message: '', headers });
  const { code } = envelope.error;
  // A signed URL that has expired or was changed; signing in again would not help.
  const isOfUrl = code === 'UNAUTHORIZED' && status === 403;
  return new ApiError({ status, headers, ...envelope.error, meaning: isOfUrl ? null : await meaningOf(code) });
}

/** Fetches a file of the service by its signed URL. @throws ApiError */
export async function fetchFile(url: string): Promise<Blob> {
  const response = await send(sameOriginPath(url), { method: 'GET' });
  if (!response.ok) throw await failureOf(response, (await response.json().catch(() => null)) as Envelope | null);
  try {
    return await response.blob();
  } catch {
    // The service broke the file off, or the connection ended.
    throw new ApiError({ status: 0, code: 'OFFLINE', message: '' });
  }
}

let aheadMs = 0;

/** How far the service's clock is ahead of the device's clock, in milliseconds. Countdowns use the service's clock. */
export function serverAheadMs(): number {
  return aheadMs;
}

function noteServerTime(date: string | null): void {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return;
  const ahead = serverMs - Date.now();
  // The header has a resolution of one second, so treat smaller differences as zero.
  aheadMs = Math.abs(ahead) < 1_500 ? 0 : ahead;
}

/** Returns the path of a picture's URL. The page may load pictures from its own origin only. */
export function sameOriginPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
