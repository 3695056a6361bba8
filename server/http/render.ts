import { RequestError } from '@hono/node-server';
import { validationError } from '../../contract/basics/errors.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { Deps } from '../deps.ts';
import { JsonText, OtherStatus, type Route, SessionStarted } from '../serve.ts';
import { asDomainError, failureBody, failureHeaders } from './answers/errors.ts';
import { type HttpAnswer, jsonHeaders } from './answers/responses.ts';
import type { Sessions } from './auth/sessions.ts';
import { LimitExceeded, limitHeaders, type LimitState } from './limits/limits.ts';
import type { PaymentRefusal } from './payment.ts';

/** An answer that reports a failure; its body is always text. */
export type Failure = HttpAnswer & { body: string };

export type RenderDeps = {
  sessions: Sessions;
  deps: Pick<Deps, 'config'>;
};

/** Returns the answer for a verb's `data`, in the shape that the operation's output schema allows. */
export function renderSuccess(
  handler: RenderDeps,
  route: Route,
  data: unknown,
  headers: Record<string, string>,
): HttpAnswer {
  const { status = 200, otherStatus, contentType } = route.spec;
  if (data instanceof SessionStarted) {
    const cookie = { 'Set-Cookie': handler.sessions.started(data.session) };
    return renderSuccess(handler, route, data.data, { ...headers, ...cookie });
  }
  if (data instanceof OtherStatus) return { status: otherStatus ?? status, headers, body: json(route.spec, data.data) };
  if (contentType) {
    // Any site may show it, such as the text of a license.
    const shown = { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' };
    return { status, headers: { ...headers, ...shown, 'Content-Type': contentType }, body: String(data) };
  }
  if (data instanceof JsonText) return { status, headers, body: `{"success":true,"data":${data.text},"error":null}` };
  return { status, headers, body: json(route.spec, data) };
}

/**
 * Returns the answer for an error. Unexpected errors are logged; the client reads only that something went wrong.
 *
 * @param refusal what a refused payment adds
 */
export function renderFailure(
  { log }: Pick<Deps, 'log'>,
  requestId: string,
  states: LimitState[],
  cause: unknown,
  refusal: PaymentRefusal | null = null,
): Failure {
  const error = asDomainError(readable(cause), log, requestId);
  // The exceeded limit comes first in the headers.
  const reported = error instanceof LimitExceeded ? [error.state, ...states] : states;
  return {
    status: error.status,
    headers: {
      ...jsonHeaders,
      ...limitHeaders(reported),
      ...failureHeaders(error),
      'X-Request-Id': requestId,
      ...refusal?.headers,
    },
    body: JSON.stringify({ ...failureBody(error, requestId), ...refusal?.body }),
  };
}

export function json(spec: OperationSpec, data: unknown): string {
  return envelope(spec.output.parse(data));
}

function envelope(data: unknown): string {
  return JSON.stringify({ success: true, data, error: null });
}

/** A request target or a Host header that makes no URL is the client's error, not the service's. */
function readable(cause: unknown): unknown {
  if (!(cause instanceof RequestError)) return cause;
  return validationError([{ field: 'request', message: 'the URL or the Host header is not valid' }]);
}
