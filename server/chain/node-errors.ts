import { BaseError, HttpRequestError, TimeoutError } from 'viem';

/**
 * Returns whether the node was unreachable or overloaded. A rejection of the request itself is no transport failure. An
 * error that viem did not throw counts as one, because it proves nothing about the request.
 */
export function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  const cause = error.walk(
    (inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError || isOverloaded(inner),
  );
  return cause !== null;
}

/**
 * Returns the error without the node's URL, for logs. viem writes the URL into every error, and a provider's URL
 * contains the billed API key.
 */
export function withoutAddress(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const failure = error.walk((inner) => inner instanceof HttpRequestError);
  const { name, shortMessage, details } = (failure ?? error) as BaseError;
  // The body of an HTTP rejection can repeat the API key, so log the status only.
  const status = failure instanceof HttpRequestError ? failure.status : undefined;
  const why = status === undefined ? details?.slice(0, 200) : `status ${status}`;
  return new Error(`${name}: ${shortMessage} ${why ? `(${why})` : ''}`.trim());
}

// -32005 means "limit exceeded" and -32603 "internal error". A revert has code 3 or -32000, or names the revert in the
// text of -32603.
function isOverloaded(error: unknown): boolean {
  if (!(error instanceof BaseError) || !('code' in error)) return false;
  return error.code === -32005 || (error.code === -32603 && !/revert/i.test(error.message));
}
