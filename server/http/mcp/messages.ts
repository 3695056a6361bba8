import { operations } from '../../../contract/operations.ts';
import { unavailable } from '../answers/errors.ts';
import { type CountedRequest, takeLimits } from '../limits/limits-of-request.ts';
import type { Limits } from '../limits/limits.ts';
import type { Shedder } from '../limits/load.ts';
import { requireSmallJson } from '../parsing/body.ts';
import { isObject } from './json-schema.ts';

type Counted = Pick<CountedRequest, 'caller' | 'remoteAddress' | 'development' | 'states'>;
type Parts = { limits: Limits; shedder: Shedder };

/** The operation whose limits a message takes: a read of an agent, or one of everybody else. */
const readOf = ({ caller }: Counted) =>
  caller.kind === 'agent' ? operations.searchProjects : operations.listPublicProjects;

/**
 * Leaves of `initialize` what the service uses. The protocol's own parser explains each fault in the rest at length: of 6 KB,
 * it made so much text that the process ended.
 *
 * @throws DomainError VALIDATION_ERROR for JSON that a parser would take long for
 */
export function shortened(body: unknown): unknown {
  requireSmallJson(body);
  return Array.isArray(body) ? body.map(shortenedMessage) : shortenedMessage(body);
}

function shortenedMessage(message: unknown): unknown {
  if (!isObject(message) || message['method'] !== 'initialize' || !isObject(message['params'])) return message;
  const { protocolVersion, clientInfo } = message['params'];
  const { name, version } = isObject(clientInfo) ? clientInfo : {};
  return { ...message, params: { protocolVersion, capabilities: {}, clientInfo: { name, version } } };
}

/** Counts one message. The operations of a tool count themselves too. @throws LimitExceeded */
export async function countMessage({ limits }: Parts, counted: Counted): Promise<void> {
  await takeLimits(limits, { ...counted, spec: readOf(counted) }, false);
}

export const callsTool = (message: unknown): boolean => isObject(message) && message['method'] === 'tools/call';

/**
 * Counts the messages after the first of a batch, and refuses messages that no operation would shed.
 *
 * @throws LimitExceeded, or DomainError INTERNAL_ERROR with the status 503
 */
export async function countBatch(parts: Parts, counted: Counted, body: unknown): Promise<void> {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  const calls = messages.some(callsTool);
  // The operations of a tool shed by themselves, payments last.
  if (!calls && parts.shedder.sheds(readOf(counted)))
    throw unavailable('The service is overloaded. Try again shortly.');
  for (const _ of messages.slice(1)) await countMessage(parts, { ...counted, states: [] });
}
