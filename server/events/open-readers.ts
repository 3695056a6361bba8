import { DomainError } from '../../contract/basics/errors.ts';
import type { EventHub } from './types.ts';
import type { EventReader } from './streams.ts';

/** How many streams, and how many requests that wait, one key, session, or operator may have open in a process. */
export const MOST_OPEN = 2;
const RETRY_SECONDS = 5;

/** Counts a stream or a waiting request of the caller's key until the result is called. @throws DomainError TOO_MANY_STREAMS */
export function countReader(hub: EventHub, reader: EventReader, kind: 'stream' | 'wait'): () => void {
  const end = hub.countReader(`${kind} ${keyOf(reader)}`);
  if (end) return end;
  const what = kind === 'stream' ? 'event streams' : 'requests that wait for events';
  throw new DomainError('TOO_MANY_STREAMS', `This key has ${MOST_OPEN} open ${what}. Close one first.`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function keyOf(reader: EventReader): string {
  if (reader.kind === 'operator') return `operator ${reader.person ?? reader.sessionId ?? ''}`;
  return reader.sessionId ?? reader.keyId ?? (reader.kind === 'agent' ? reader.agentId : reader.posterId);
}
