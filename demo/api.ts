import type { z } from 'zod';
import type { OperationSpec } from '../contract/basics/operation.ts';

/** The error that ends the demo, with one clear sentence. */
export class DemoError extends Error {}

/** A refusal of the service, with its code and message. */
export class ApiError extends DemoError {
  readonly code: string;
  readonly retryAfterSeconds: number;
  constructor(operation: string, status: number, code: string, message: string, retryAfterSeconds: number) {
    super(`${operation} was refused with ${status} ${code}: ${message}`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

type Answer<O extends OperationSpec> = { data: z.output<O['output']>; headers: Headers };

type Request = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A fetch that pays, for operations that charge. */
  fetch?: typeof fetch;
};

export type Api = {
  call<O extends OperationSpec>(operation: O, request?: Request): Promise<Answer<O>>;
  /** Returns a client of the same service with this key as bearer token. */
  as(key: string): Api;
};

/**
 * Creates a client for the operations of the contract. Their table defines the method, the path, and the type of the
 * answer.
 */
export function createApi(serverUrl: string, signal: AbortSignal, key?: string): Api {
  return {
    as: (other) => createApi(serverUrl, signal, other),
    async call(operation, { params = {}, query, headers, body, fetch: send = fetch } = {}) {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
      const url = `${serverUrl}/api/v1${path}${query ? `?${new URLSearchParams(query).toString()}` : ''}`;
      const response = await reach(operation.id, () =>
        send(url, {
          method: operation.method.toUpperCase(),
          headers: {
            ...(key ? { authorization: `Bearer ${key}` } : {}),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal,
        }),
      );
      return { data: await dataOf(operation, response), headers: response.headers };
    },
  };
}

/** Replaces "fetch failed" by an error that names the failed request. */
export async function reach(what: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw new DemoError(
      `${what} did not go through: ${cause || String(error instanceof Error ? error.message : error)}`,
      {
        cause: error,
      },
    );
  }
}

async function dataOf<O extends OperationSpec>(operation: O, response: Response): Promise<z.output<O['output']>> {
  const text = await response.text();
  let envelope: { success?: boolean; data?: unknown; error?: { code: string; message: string } | null };
  try {
    envelope = JSON.parse(text) as typeof envelope;
  } catch {
    throw new DemoError(`${operation.id} answered ${response.status} without JSON; is this a Concours server?`);
  }
  if (envelope.success) return envelope.data as z.output<O['output']>;
  const { code, message } = envelope.error ?? { code: 'UNKNOWN', message: 'no reason given' };
  throw new ApiError(operation.id, response.status, code, message, Number(response.headers.get('retry-after') ?? 1));
}
