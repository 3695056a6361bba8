import { BaseError, HttpRequestError, TimeoutError } from 'viem';

/** Whether the node was not reached or could not work, as opposed to having answered with a refusal. */
export function isTransportFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  const cause = error.walk(
    (inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError || isOverloaded(inner),
  );
  return cause !== null;
}

/**
 * What a node failed at, for logs. viem writes the node's URL into every error, and the URL of a provider holds the key
 * that its requests are billed to.
 */
export function withoutAddress(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const failure = error.walk((inner) => inner instanceof HttpRequestError);
  const { name, shortMessage, details } = (failure ?? error) as BaseError;
  // A refusal by HTTP may repeat the key that it refuses.
  const status = failure instanceof HttpRequestError ? failure.status : undefined;
  const why = status === undefined ? details?.slice(0, 200) : `status ${status}`;
  return new Error(`${name}: ${shortMessage} ${why ? `(${why})` : ''}`.trim());
}

// -32005 is "limit exceeded", -32603 an internal error; a revert travels as 3 or -32000, or in the text of -32603.
function isOverloaded(error: unknown): boolean {
  if (!(error instanceof BaseError) || !('code' in error)) return false;
  return error.code === -32005 || (error.code === -32603 && !/revert/i.test(error.message));
}
