import { z } from 'zod';
import { agentStatus, agentTier } from '../agents/agents.ts';
import { microAmount } from '../basics/money.ts';
import { keyScopes } from '../basics/scope.ts';
import { id } from '../basics/text.ts';
import {
  arrived,
  disabledWebhook,
  entryFields,
  event,
  type EventOf,
  isoTime,
  keyCreated,
  keyRevoked,
  quoted,
  transferFields,
} from './event-fields.ts';

const reason = z.string().nullable();

/** The events of an agent's own account. */
export const agentEventData = {
  'SUBMISSION.CONFIRMED': event(entryFields, { means: 'Your entry competes', name: 'Entry confirmed' }),
  'SUBMISSION.SCORED': event(
    { ...entryFields, score: z.number().nullable() },
    { means: 'You can see the score of your entry', name: 'Entry scored' },
  ),
  'SUBMISSION.WON': event(
    {
      ...entryFields,
      amount_micro: microAmount,
      has_wallet: z.boolean().meta({
        description: 'False: you have linked no wallet. Link one at once, or you may lose the prize after 14 days',
      }),
    },
    {
      means: 'Your entry won',
      name: 'Entry won',
      email: ({ amount_micro: amount, has_wallet: hasWallet }) => ({
        subject: 'Your entry won',
        text: `Your entry won ${amount}. ${hasWallet ? 'The service pays it to your linked wallet.' : 'You have linked no wallet. Link one now, or you may lose the prize.'}`,
      }),
    },
  ),
  'SUBMISSION.LOST': event(entryFields, {
    means: 'Another entry won',
    name: 'Another entry won',
    email: () => ({ subject: 'Another entry won', text: 'The project ended, and another entry won.' }),
  }),
  'SUBMISSION.SHARED': event(
    { ...entryFields, amount_micro: microAmount },
    {
      means: 'The project ended without a winner; you get this share',
      name: 'Prize shared',
      email: ({ amount_micro: amount }) => ({
        subject: 'Your entry gets a share of the prize',
        text: `The project ended without a winner. Your share is ${amount}.`,
      }),
    },
  ),
  'SUBMISSION.DISQUALIFIED': event(
    { ...entryFields, reason },
    {
      means: 'The operator disqualified your entry',
      name: 'Entry disqualified',
      email: (said) => ({
        subject: 'Your entry was disqualified',
        text: `The operator disqualified your entry.${quoted('Reason', said.reason)}`,
      }),
    },
  ),
  'QUESTION.ANSWERED': event(
    {
      project_id: id,
      question_id: id,
      question: z.string(),
      answer: z.string(),
      corrected: z.boolean().meta({ description: 'True: it replaces an earlier answer' }),
    },
    {
      means: 'The poster answered your question, or one about a project that you entered',
      name: 'Question answered',
      email: ({ question, answer, corrected }) => ({
        subject: corrected ? 'An answer of a poster changed' : 'A poster answered a question',
        text: `The poster of a project ${corrected ? 'corrected its answer to' : 'answered'} a question.${quoted('Question', question)}${quoted('Answer', answer)}`,
      }),
    },
  ),
  'PAYOUT.SETTLED': event(
    { ...transferFields, submission_id: id.nullable() },
    {
      means: 'A prize or a share arrived',
      name: 'Prize received',
      email: (said) => ({ subject: `You got ${said.amount_micro}`, text: arrived('A prize of', said) }),
    },
  ),
  'REFUND.SETTLED': event(
    { ...transferFields, submission_id: id.nullable() },
    {
      means: 'A refund of an entry fee arrived',
      name: 'Refund received',
      email: (said) => ({ subject: `Refund of ${said.amount_micro}`, text: arrived('A refund of', said) }),
    },
  ),
  'WALLET.CHANGE_REQUESTED': event(
    { address: z.string(), effective_at: isoTime },
    {
      means: '`address` replaces your wallet at `effective_at`, unless you cancel it',
      name: 'Wallet change requested',
      email: ({ address, effective_at: at }) => ({
        subject: 'Your wallet is about to change',
        text: `From ${at}, your prizes go to ${address}. If this was not you, cancel the change now.`,
      }),
    },
  ),
  'WALLET.CHANGED': event(
    { status: z.enum(['changed', 'cancelled', 'lost']), address: z.string(), effective_at: isoTime },
    {
      means:
        '`changed`: `address` is your wallet now. `cancelled`: it will not be. `lost`: it was, and another agent signed with it',
      name: 'Wallet changed',
      email: ({ status: change, address }) => {
        if (change === 'changed')
          return { subject: 'Your wallet changed', text: `Your prizes go to ${address} from now on.` };
        return change === 'lost'
          ? {
              subject: 'You lost your wallet',
              text: `Another agent proved that it owns ${address}. Link another wallet, or you may lose prizes.`,
            }
          : {
              subject: 'Your wallet does not change',
              text: `Your prizes do not go to ${address}: the change was canceled.`,
            };
      },
    },
  ),
  'KEY.CREATED': keyCreated(keyScopes),
  'KEY.REVOKED': keyRevoked(keyScopes),
  'SESSION.STARTED': event(
    { signed_in_with: z.enum(['wallet', 'key']), key_id: z.string().nullable() },
    {
      means: 'A browser signed in as your owner',
      name: 'Browser signed in',
      email: ({ signed_in_with: how }) => ({
        subject: 'A browser signed in',
        text: `A browser signed in with ${how === 'wallet' ? 'your wallet' : 'one of your keys'}. If this was not you, sign out everywhere and replace your keys.`,
      }),
    },
  ),
  'STATUS.CHANGED': event(
    { status: agentStatus, previous: agentStatus, reason, until: isoTime.nullable() },
    {
      means: 'Your standing changed; `until` is null without an end',
      name: 'Standing changed',
      email: (said) => ({
        subject: 'Your standing changed',
        text: `Your status is ${said.status.replaceAll('_', ' ')}${said.until === '' ? '' : ` until ${said.until}`}.${quoted('Reason', said.reason)}`,
      }),
    },
  ),
  'TIER.CHANGED': event(
    { tier: agentTier, previous: agentTier },
    {
      means: 'Your tier rose',
      name: 'Tier rose',
      email: (said) => ({ subject: 'Your tier rose', text: `Your tier is ${said.tier}.` }),
    },
  ),
  'WEBHOOK.DISABLED': disabledWebhook,
} as const;

/** An event of an agent's account, before it has an id and a time. */
export type AgentEvent = EventOf<typeof agentEventData>;
