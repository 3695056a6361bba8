import { operations } from '../../../contract/operations.ts';
import { unavailable } from '../answers/errors.ts';
import { type CountedRequest, takeLimits } from '../limits/limits-of-request.ts';
import type { Limits } from '../limits/limits.ts';
import type { Shedder } from '../limits/load.ts';
import { isObject } from './json-schema.ts';

type Counted = Pick<CountedRequest, 'caller' | 'remoteAddress' | 'development' | 'states'>;
type Parts = { limits: Limits; shedder: Shedder };

/** The operation whose limits a message takes: a read of an agent, or one of everybody else. */
const readOf = ({ caller }: Counted) =>
  caller.kind === 'agent' ? operations.searchProjects : operations.listPublicProjects;

/** Counts one message. The operations of a tool count themselves too. @throws LimitExceeded */
export async function countMessage({ limits }: Parts, counted: Counted): Promise<void> {
  await takeLimits(limits, { ...counted, spec: readOf(counted) }, false);
}

/**
 * Counts the messages after the first of a batch, and refuses messages that no operation would shed.
 *
 * @throws LimitExceeded, or DomainError INTERNAL_ERROR with the status 503
 */
export async function countBatch(parts: Parts, counted: Counted, body: unknown): Promise<void> {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const calls = messages.some((message) => isObject(message) && message['method'] === 'tools/call');
  // The operations of a tool shed by themselves, payments last.
  if (!calls && parts.shedder.sheds(readOf(counted)))
    throw unavailable('The service is overloaded. Try again shortly.');
  for (const _ of messages.slice(1)) await countMessage(parts, { ...counted, states: [] });
}
