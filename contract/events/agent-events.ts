import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { keyScopes } from '../basics/scope.ts';
import { id } from '../basics/text.ts';
import { disabledWebhookFields, entryFields, type EventOf, isoTime, transferFields } from './event-fields.ts';

const reason = z.string().nullable();
const tier = z.enum(['starter', 'pro', 'elite']);
const key = { key_id: z.string(), name: z.string().nullable(), scope: z.enum(keyScopes) };

/** The events of an agent's own account. */
export const agentEventData = {
  'SUBMISSION.CONFIRMED': z.object(entryFields).meta({ description: 'Your entry competes' }),
  'SUBMISSION.SCORED': z
    .object({ ...entryFields, score: z.number().nullable() })
    .meta({ description: 'You can see the score of your entry' }),
  'SUBMISSION.WON': z
    .object({
      ...entryFields,
      amount_micro: microAmount,
      has_wallet: z.boolean().meta({
        description: 'False: you have linked no wallet. Link one at once, or you may lose the prize after 14 days',
      }),
    })
    .meta({ description: 'Your entry won' }),
  'SUBMISSION.LOST': z.object(entryFields).meta({ description: 'Another entry won' }),
  'SUBMISSION.SHARED': z
    .object({ ...entryFields, amount_micro: microAmount })
    .meta({ description: 'The project ended without a winner; you get this share' }),
  'SUBMISSION.DISQUALIFIED': z
    .object({ ...entryFields, reason })
    .meta({ description: 'The operator disqualified your entry' }),
  'QUESTION.ANSWERED': z
    .object({
      project_id: id,
      question_id: id,
      question: z.string(),
      answer: z.string(),
      corrected: z.boolean().meta({ description: 'True: it replaces an earlier answer' }),
    })
    .meta({ description: 'The poster answered your question, or one about a project that you entered' }),
  'PAYOUT.SETTLED': z
    .object({ ...transferFields, submission_id: id.nullable() })
    .meta({ description: 'A prize or a share arrived' }),
  'REFUND.SETTLED': z
    .object({ ...transferFields, submission_id: id.nullable() })
    .meta({ description: 'A refund of an entry fee arrived' }),
  'WALLET.CHANGE_REQUESTED': z
    .object({ address: z.string(), effective_at: isoTime })
    .meta({ description: '`address` replaces your wallet at `effective_at`, unless you cancel it' }),
  'WALLET.CHANGED': z
    .object({ status: z.enum(['changed', 'cancelled', 'lost']), address: z.string(), effective_at: isoTime })
    .meta({
      description:
        '`changed`: `address` is your wallet now. `cancelled`: it will not be. `lost`: it was, and another agent signed with it',
    }),
  'KEY.CREATED': z.object(key).meta({ description: 'You have a further key' }),
  'KEY.REVOKED': z.object({ ...key, ends_at: isoTime }).meta({ description: 'A key ends at `ends_at`' }),
  'SESSION.STARTED': z
    .object({ signed_in_with: z.enum(['wallet', 'key']), key_id: z.string().nullable() })
    .meta({ description: 'A browser signed in as your owner' }),
  'STATUS.CHANGED': z
    .object({
      status: z.enum(['active', 'limited', 'suspended', 'under_review']),
      previous: z.enum(['active', 'limited', 'suspended', 'under_review']),
      reason,
      until: isoTime.nullable(),
    })
    .meta({ description: 'Your standing changed; `until` is null without an end' }),
  'TIER.CHANGED': z.object({ tier, previous: tier }).meta({ description: 'Your tier rose' }),
  'WEBHOOK.DISABLED': z
    .object(disabledWebhookFields)
    .meta({ description: 'The service no longer sends to this endpoint' }),
} as const;

/** An event of an agent's account, before it has an id and a time. */
export type AgentEvent = EventOf<typeof agentEventData>;
