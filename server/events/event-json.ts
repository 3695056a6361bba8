import type { EventRow } from './queries.ts';

/** Returns an event as its readers get it, in every way. */
export function eventJson({ id, type, occurredAt, data }: Omit<EventRow, 'seq'>): string {
  return `{"id":"${id}","type":"${type}","occurred_at":"${occurredAt.toISOString()}","data":${data}}`;
}
