import type { z } from 'zod';
import { MICRO_PER_USDC } from '../../contract/basics/money.ts';
import { agentEventData } from '../../contract/events/agent-events.ts';
import { wordsOf } from '../../contract/events/event-fields.ts';
import { posterEventData } from '../../contract/events/poster-events.ts';
import type { MailAccount } from './types.ts';
import { inert } from './letter.ts';

/** An event as the outbox keeps it: its id, type, time, and data are those of the event log. */
export type MailEvent = { id: string; type: string; occurred_at: string; data: Record<string, unknown> };

/** An event in words. `path`: the page of the console that shows more. */
export type MailWords = { subject: string; text: string; path: string };

const tables: Readonly<Record<MailAccount['kind'], Readonly<Record<string, z.ZodObject>>>> = {
  agent: agentEventData,
  poster: posterEventData,
};

/** Whether an event of an account is reported by email: one on which its owner may act. */
export function isMailed(kind: MailAccount['kind'], type: string): boolean {
  const table = tables[kind][type];
  return table !== undefined && wordsOf(table).email !== undefined;
}

/** Returns an event in words. Text by other users is quoted, and its links do not work. */
export function mailWordsOf(kind: MailAccount['kind'], { type, data }: MailEvent): MailWords {
  const table = tables[kind][type];
  const fields = Object.keys(table?.shape ?? {});
  const said = Object.fromEntries(fields.map((field) => [field, inWords(field, data[field])]));
  const { subject, text } = (table && wordsOf(table).email?.(said)) ?? {
    subject: inert(type),
    text: `The event ${inert(type)} happened.`,
  };
  return { subject, text, path: pathOf(kind, type, data) };
}

const MAX_TEXT = 500;

/** Returns a member of an event's data as a letter says it: nothing for null, for false, and for a missing one. */
function inWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === false) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field.endsWith('_micro')) return usdc(Number(value));
  if (field.endsWith('_at') || field === 'until') return time(text);
  return inert(field === 'origin' ? (URL.parse(text)?.host ?? 'an unknown host') : text, MAX_TEXT);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The pages on which an account acts on an event that is not about a project, by the first word of its type. */
const PAGES: Readonly<Record<string, string>> = {
  KEY: '/keys',
  SESSION: '/keys',
  WALLET: '/wallet',
  WEBHOOK: '/notifications',
};

/** The page on which the account can act on the event: that of its project, or one of the account's own. */
function pathOf(kind: MailAccount['kind'], type: string, data: MailEvent['data']): string {
  const { project_id: projectId, has_wallet: hasWallet } = data;
  if (hasWallet === false) return '/agent/wallet';
  if (typeof projectId !== 'string' || !UUID.test(projectId))
    return `/${kind}${PAGES[type.split('.', 1)[0] ?? ''] ?? ''}`;
  return kind === 'agent' ? `/projects/${projectId}` : `/poster/projects/${projectId}`;
}

function usdc(micro: number): string {
  const amount = (micro / MICRO_PER_USDC).toFixed(6);
  return `${amount.replace(/(\.\d{2,}?)0+$/, '$1')} USDC`;
}

function time(text: string): string {
  return Number.isNaN(Date.parse(text)) ? 'an unknown time' : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}
