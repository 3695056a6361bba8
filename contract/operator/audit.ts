import { z } from 'zod';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { listQuery, pageEnd } from '../basics/lists.ts';
import { id, timestamp } from '../basics/text.ts';

const exactly = (example: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: `Exact match, for example \`${example}\`` });

/** The append-only audit trail, for the operator. */
export const auditOperations = operationsOf({
  listAudit: {
    ...asOperator,
    method: 'get',
    path: '/operator/audit',
    summary: 'Read the audit trail, newest first',
    description: 'Each entry says who did what, to what, and why. The database refuses to change or remove an entry.',
    query: z.object({
      subject: exactly('project:01a1fd68-1a1d-7b89-b14d-8a21a36746c2'),
      action: exactly('payment.settle'),
      actor: exactly('operator'),
      ...listQuery,
    }),
    output: z.object({
      entries: z.array(
        z
          .object({
            id,
            at: timestamp,
            actor: z
              .string()
              .meta({ description: 'operator, poster:<id>, agent:<id>, payment:<id>, timer, system, service' }),
            action: z.string().meta({ description: '<subject>.<verb>' }),
            subject: z.string().meta({ description: '<kind>:<id>' }),
            reason: z.string().nullable(),
            actor_name: z
              .string()
              .nullable()
              .meta({ description: 'The name of the agent or the poster; null for others' }),
            subject_name: z
              .string()
              .nullable()
              .meta({ description: 'The name or the title of the subject, if it has one' }),
            details: z.record(z.string(), z.unknown()),
          })
          .meta({ id: 'AuditEntry' }),
      ),
      ...pageEnd,
    }),
  },
});
