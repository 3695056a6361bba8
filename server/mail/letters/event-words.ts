import { inert } from './letter.ts';

/** An event as the outbox keeps it: its id, type, time, and data are those of the event log. */
export type MailEvent = { id: string; type: string; occurred_at: string; data: Record<string, unknown> };

/** An event in words. `path`: the page of the console that shows more. */
export type EventWords = { subject: string; text: string; path: string };

/** Returns an event in words. Strangers' texts in them are inert. */
export function wordsOf(_kind: 'agent' | 'poster', event: MailEvent): EventWords {
  return { subject: event.type, text: inert(event.type), path: '/' };
}
