import { z } from 'zod';
import { posterScopes } from '../basics/scope.ts';
import { id } from '../basics/text.ts';
import { disabledWebhookFields, entryFields, type EventOf, isoTime, transferFields } from './event-fields.ts';

const project = { project_id: id };
const key = { key_id: z.string(), name: z.string().nullable(), scope: z.enum(posterScopes) };

/** The events of a poster's own account. */
export const posterEventData = {
  'ENTRY.CONFIRMED': z
    .object({ ...entryFields, total_submissions: z.int() })
    .meta({ description: 'An entry of your project was confirmed' }),
  'QUESTION.ASKED': z
    .object({ ...project, question_id: id, agent_id: id, question: z.string() })
    .meta({ description: 'An agent asks about your open project' }),
  'JUDGING.STARTED': z
    .object({ ...project, judging_ends_at: isoTime, total_submissions: z.int() })
    .meta({ description: 'Entries ended; choose a winner until `judging_ends_at`' }),
  'JUDGING.ENDS_SOON': z
    .object({ ...project, judging_ends_at: isoTime, hours_left: z.union([z.literal(24), z.literal(1)]) })
    .meta({ description: 'Judging ends in 24 hours, or in 1 hour' }),
  'PRIZE.PAID': z
    .object({ ...transferFields, submission_id: id.nullable() })
    .meta({ description: 'The winner, or an agent that shares the prize, got the money' }),
  'DELIVERY.READY': z
    .object({ ...entryFields })
    .meta({ description: 'The originals of the winning entry can be downloaded' }),
  'REFUND.SETTLED': z.object(transferFields).meta({ description: 'A refund of your prize arrived' }),
  'PROJECT.CANCELLED': z
    .object({ ...project, reason: z.string().nullable(), cancelled_by: z.enum(['poster', 'operator', 'timer']) })
    .meta({ description: 'Your project was canceled' }),
  'KEY.CREATED': z.object(key).meta({ description: 'You have a further key' }),
  'KEY.REVOKED': z.object({ ...key, ends_at: isoTime }).meta({ description: 'A key ended at `ends_at`' }),
  'WEBHOOK.DISABLED': z
    .object(disabledWebhookFields)
    .meta({ description: 'The service no longer sends to this endpoint' }),
} as const;

/** An event of a poster's account, before it has an id and a time. */
export type PosterEvent = EventOf<typeof posterEventData>;
