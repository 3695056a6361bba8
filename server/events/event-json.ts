import type { EventRow } from './queries.ts';

/** Returns an event as its readers get it, in every way. */
function eventJson({ id, type, occurredAt, data }: Omit<EventRow, 'seq'>): string {
  return `{"id":"${id}","type":"${type}","occurred_at":"${occurredAt.toISOString()}","data":${data}}`;
}

/** Returns an event as a server-sent event. Without an `event` field, so that every client takes it as a message. */
export function eventFrame(event: Omit<EventRow, 'seq'>): string {
  return `id: ${event.id}\ndata: ${eventJson(event)}\n\n`;
}
