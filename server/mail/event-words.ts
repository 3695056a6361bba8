import { MICRO_PER_USDC } from '../../contract/basics/money.ts';
import type { MailAccount } from './types.ts';
import { inert } from './letter.ts';

/** An event as the outbox keeps it: its id, type, time, and data are those of the event log. */
export type MailEvent = { id: string; type: string; occurred_at: string; data: Record<string, unknown> };

/** An event in words. `path`: the page of the console that shows more. */
export type EventWords = { subject: string; text: string; path: string };

type Say = (data: MailEvent['data']) => { subject: string; text: string };

const agentWords: Record<string, Say> = {
  'SUBMISSION.WON': ({ amount_micro: amount, has_wallet: hasWallet }) => ({
    subject: 'Your entry won',
    text: `Your entry won ${usdc(amount)}. ${hasWallet ? 'The service pays it to your linked wallet.' : 'You have linked no wallet. Link one now, or you may lose the prize.'}`,
  }),
  'SUBMISSION.LOST': () => ({ subject: 'Another entry won', text: 'The project ended, and another entry won.' }),
  'SUBMISSION.SHARED': ({ amount_micro: amount }) => ({
    subject: 'Your entry gets a share of the prize',
    text: `The project ended without a winner. Your share is ${usdc(amount)}.`,
  }),
  'SUBMISSION.DISQUALIFIED': ({ reason }) => ({
    subject: 'Your entry was disqualified',
    text: `The operator disqualified your entry.${quoted('Reason', reason)}`,
  }),
  'QUESTION.ANSWERED': ({ question, answer, corrected }) => ({
    subject: corrected === true ? 'An answer of a poster changed' : 'A poster answered a question',
    text: `The poster of a project ${corrected === true ? 'corrected its answer to' : 'answered'} a question.${quoted('Question', question)}${quoted('Answer', answer)}`,
  }),
  'PAYOUT.SETTLED': (data) => ({ subject: `You got ${usdc(data['amount_micro'])}`, text: paid('A prize of', data) }),
  'REFUND.SETTLED': (data) => ({ subject: `Refund of ${usdc(data['amount_micro'])}`, text: paid('A refund of', data) }),
  'WALLET.CHANGE_REQUESTED': ({ address, effective_at: at }) => ({
    subject: 'Your wallet is about to change',
    text: `From ${time(at)}, your prizes go to ${inert(String(address))}. If this was not you, cancel the change now.`,
  }),
  'WALLET.CHANGED': ({ status, address }) => ({
    subject: status === 'changed' ? 'Your wallet changed' : 'Your wallet does not change',
    text:
      status === 'changed'
        ? `Your prizes go to ${inert(String(address))} from now on.`
        : `Your prizes do not go to ${inert(String(address))}: ${status === 'lost' ? 'another agent proved that it owns this wallet' : 'the change was canceled'}.`,
  }),
  'SESSION.STARTED': ({ signed_in_with: how }) => ({
    subject: 'A browser signed in',
    text: `A browser signed in with ${how === 'wallet' ? 'your wallet' : 'one of your keys'}. If this was not you, sign out everywhere and replace your keys.`,
  }),
  'STATUS.CHANGED': ({ status, reason, until }) => ({
    subject: 'Your standing changed',
    text: `Your status is ${inert(String(status)).replaceAll('_', ' ')}${until ? ` until ${time(until)}` : ''}.${quoted('Reason', reason)}`,
  }),
  'TIER.CHANGED': ({ tier }) => ({ subject: 'Your tier rose', text: `Your tier is ${inert(String(tier))}.` }),
};

const posterWords: Record<string, Say> = {
  'QUESTION.ASKED': ({ question }) => ({
    subject: 'A question about your project',
    text: `An agent asks about your project. Everyone sees the question and your answer.${quoted('Question', question)}`,
  }),
  'JUDGING.STARTED': ({ total_submissions: total, judging_ends_at: at }) => ({
    subject: 'Choose a winner',
    text: `Entries have ended, and your project has ${entries(total)}. Choose a winner before ${time(at)}.`,
  }),
  'JUDGING.ENDS_SOON': ({ hours_left: hours, judging_ends_at: at }) => ({
    subject: `Judging ends in ${hours === 1 ? '1 hour' : `${Number(hours)} hours`}`,
    text: `Choose a winner before ${time(at)}. Otherwise the service ends the project by its terms.`,
  }),
  'PRIZE.PAID': (data) => ({ subject: 'The prize is paid', text: paid('A prize of', data) }),
  'DELIVERY.READY': () => ({
    subject: 'Your files are ready',
    text: 'The prize is settled. You can download the original files of the winning entry.',
  }),
  'REFUND.SETTLED': (data) => ({ subject: `Refund of ${usdc(data['amount_micro'])}`, text: paid('A refund of', data) }),
  'PROJECT.CANCELLED': ({ reason, cancelled_by: by }) => ({
    subject: 'Your project was canceled',
    text: `Your project was canceled${by === 'operator' ? ' by the operator' : ''}.${quoted('Reason', reason)}`,
  }),
};

const bothWords: Record<string, Say> = {
  'KEY.CREATED': ({ name, scope }) => ({
    subject: 'A key was created',
    text: `A new API key with scope ${inert(String(scope))} was created.${quoted('Name', name)} If this was not you, revoke it now.`,
  }),
  'KEY.REVOKED': ({ name, ends_at: at }) => ({
    subject: 'A key was revoked',
    text: `An API key ends at ${time(at)}.${quoted('Name', name)}`,
  }),
  'WEBHOOK.DISABLED': ({ origin, reason }) => ({
    subject: 'A webhook endpoint was disabled',
    text: `The service no longer sends to your endpoint at ${hostOf(origin)}.${quoted('Reason', reason)}`,
  }),
};

/** Whether an event of an account is reported by email: one on which its owner may act. */
export function isMailed(kind: MailAccount['kind'], type: string): boolean {
  return Object.hasOwn({ ...(kind === 'agent' ? agentWords : posterWords), ...bothWords }, type);
}

/** Returns an event in words. Text by other users is quoted, and its links do not work. */
export function wordsOf(kind: MailAccount['kind'], { type, data }: MailEvent): EventWords {
  const say = (kind === 'agent' ? agentWords : posterWords)[type] ?? bothWords[type];
  const { subject, text } = say?.(data) ?? { subject: inert(type), text: `The event ${inert(type)} happened.` };
  return { subject, text, path: pathOf(kind, data) };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The page of the event's project; without one, the caller's own pages. */
function pathOf(kind: MailAccount['kind'], { project_id: projectId }: MailEvent['data']): string {
  if (typeof projectId !== 'string' || !UUID.test(projectId)) return kind === 'agent' ? '/agent' : '/poster';
  return kind === 'agent' ? `/projects/${projectId}` : `/poster/projects/${projectId}`;
}

function usdc(micro: unknown): string {
  const amount = (Number(micro) / MICRO_PER_USDC).toFixed(6);
  return `${amount.replace(/(\.\d{2,}?)0+$/, '$1')} USDC`;
}

function paid(what: string, { amount_micro: amount, recipient, tx_hash: hash }: MailEvent['data']): string {
  const where = typeof hash === 'string' ? ` The transaction is ${inert(hash)}.` : '';
  return `${what} ${usdc(amount)} arrived at ${inert(String(recipient))}.${where}`;
}

function entries(total: unknown): string {
  return Number(total) === 1 ? '1 entry' : `${Number(total)} entries`;
}

function time(at: unknown): string {
  const text = String(at);
  return Number.isNaN(Date.parse(text)) ? 'an unknown time' : `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;
}

/** A text that a person wrote, marked as such. */
function quoted(label: string, text: unknown): string {
  return typeof text === 'string' && text.trim() !== '' ? ` ${label}: “${inert(text, 500)}”` : '';
}

function hostOf(url: unknown): string {
  return inert(URL.parse(String(url))?.host ?? 'an unknown host');
}
