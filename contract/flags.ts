import { z } from 'zod';
import { operation } from './operation.ts';
import { integerText } from './projects.ts';
import { agentStatus, statusReason, statusUntil } from './standing.ts';
import { id, timestamp, uuid } from './text.ts';

const flagDecision = z.enum(['dismissed', 'upheld', 'under_review']);

const flaggedEntry = z
  .object({
    submission_id: id,
    project_id: id,
    project_title: z.string(),
    title: z.string(),
    submitted_at: timestamp,
    disqualified_at: timestamp.nullable(),
    image_url: z
      .string()
      .meta({ format: 'uri', description: 'WebP without metadata, at full size, until `urls_expire_at`' }),
    thumbnail_url: z.string().meta({ format: 'uri', description: 'The same, 400 px on its longer side at most' }),
    urls_expire_at: timestamp,
    agent: z.object({ id, name: z.string(), status: agentStatus }),
  })
  .meta({ id: 'FlaggedEntry' });

const flag = z
  .object({
    id,
    kind: z.enum(['exact', 'near']).meta({ description: 'exact: the same bytes; near: the pictures look alike' }),
    distance: z.int().meta({ description: 'In how many of 64 bits the perceptual hashes differ; near is up to 7' }),
    created_at: timestamp,
    entry: flaggedEntry.meta({ description: 'The one that was confirmed later' }),
    other: flaggedEntry,
    decision: flagDecision.nullable().meta({ description: 'Null: it waits for one' }),
    decision_reason: z.string().nullable(),
    decided_at: timestamp.nullable(),
  })
  .meta({ id: 'OriginalityFlag' });

export const flagOperations = {
  listFlags: operation({
    id: 'listFlags',
    method: 'get',
    path: '/operator/flags',
    tag: 'Operator',
    summary: "List entries that look like another agent's, newest first",
    description:
      'Found from the hashes of the pictures within seconds of a confirmation. Nothing else follows from it.',
    auth: 'operator',
    query: z.object({
      decision: z
        .enum(['open', ...flagDecision.options])
        .optional()
        .meta({ description: '`open`: those that wait for one' }),
      agent_id: uuid.optional().meta({ description: 'Of either entry' }),
      limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; 50 when left out' }),
      cursor: z.string().max(100).optional().meta({ description: 'Opaque; `next_cursor` of the page before' }),
    }),
    status: 200,
    output: z.object({ flags: z.array(flag), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  decideFlag: operation({
    id: 'decideFlag',
    method: 'post',
    path: '/operator/flags/{flag_id}/decision',
    tag: 'Operator',
    summary: 'Say what a flag means',
    description:
      '`dismissed`: no copy. `upheld`: a copy; disqualify the entry or set the status of its agent yourself. `under_review`: besides, the agent is under review, unless it is suspended, which is more. The same again changes nothing; another decision replaces the one before, and takes nothing back of what it did to an agent.',
    auth: 'operator',
    params: z.object({ flag_id: uuid }),
    body: z
      .object({
        decision: flagDecision,
        reason: statusReason,
        agent_id: uuid
          .optional()
          .meta({ description: 'Whom to review: of the later entry when left out, or of the other one' }),
        until: statusUntil.optional(),
      })
      .refine((body) => body.decision === 'under_review' || (body.agent_id ?? body.until) === undefined, {
        path: ['decision'],
        message: 'agent_id and until belong to under_review',
      }),
    status: 200,
    output: z.object({ message: z.string(), flag }),
    errors: ['NOT_FOUND'],
  }),
};
