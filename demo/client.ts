import type { z } from 'zod';
import type { OperationSpec } from '../contract/basics/operation.ts';
import { type Client, ConcoursError, type Request } from '../sdk/src/index.ts';

/** The error that ends the demo, with one clear sentence. */
export class DemoError extends Error {}

/** Seconds for which the clients of the demo repeat a request that gets no answer. */
export const RETRY_SECONDS = 30;

/**
 * Sends an operation for which the SDK has no call of its own, such as the operator's. The contract defines its method,
 * its path, and the type of its answer.
 */
export async function ask<O extends OperationSpec>(
  client: Client,
  { method, path }: O,
  { params = {}, ...request }: Pick<Request, 'query' | 'body'> & { params?: Record<string, string> } = {},
): Promise<z.output<O['output']>> {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return await client.call(method.toUpperCase() as Uppercase<O['method']>, place, request);
}

/** Returns the sentence that explains an expected failure, and the whole error otherwise. */
export function sentenceOf(error: unknown): string {
  return error instanceof DemoError || error instanceof ConcoursError ? error.message : `Failed: ${String(error)}`;
}
