import { z } from 'zod';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, timestamp } from '../basics/text.ts';
import { listQuery, pageEnd, someOf } from '../basics/lists.ts';

const states = ['waiting', 'sent', 'failed'] as const;

/** The emails of the service, for the operator. */
export const emailOperations = operationsOf({
  listEmails: {
    ...asOperator,
    method: 'get',
    path: '/operator/emails',
    summary: 'List emails of the last days, newest first',
    query: z.object({ state: someOf(states), ...listQuery }),
    output: z.object({
      emails: z.array(
        z
          .object({
            id,
            kind: z.enum(['verification', 'events', 'farewell']),
            address: z.string(),
            account_kind: z.string().meta({ description: 'agent, poster, or operator' }),
            account_id: id.nullable(),
            account_name: z.string().nullable(),
            events: z.array(z.string()).meta({ description: 'The types of the events that it reports' }),
            state: z.enum(states).meta({ description: '`failed`: given up' }),
            created_at: timestamp,
            sent_at: timestamp.nullable(),
            next_attempt_at: timestamp.nullable(),
            attempts: z.int(),
            failure: z
              .string()
              .nullable()
              .meta({ description: 'Why the last attempt failed; null too if nobody wants the email any more' }),
          })
          .meta({ id: 'Email' }),
      ),
      ...pageEnd,
    }),
  },
});
