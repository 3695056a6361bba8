import { z } from 'zod';
import { days } from '../basics/days.ts';
import { operation } from '../basics/operation.ts';
import { integerText } from '../projects/projects.ts';
import { agentStatus, statusReason, statusUntil } from '../agents/standing.ts';
import { id, timestamp, uuid } from '../basics/text.ts';

const flagDecision = z.enum(['dismissed', 'upheld', 'under_review']);

const flaggedEntry = z
  .object({
    submission_id: id,
    item: z.int().meta({ description: 'The item whose picture is shown: the one that is most alike' }),
    project_id: id,
    project_title: z.string(),
    title: z.string(),
    submitted_at: timestamp,
    disqualified_at: timestamp.nullable(),
    image_url: z.string().meta({
      format: 'uri',
      description: 'Watermarked WebP without metadata, longest side at most 1,024 px, until `urls_expire_at`',
    }),
    thumbnail_url: z.string().meta({ format: 'uri', description: 'The same picture, longest side at most 400 px' }),
    urls_expire_at: timestamp,
    agent: z.object({ id, name: z.string(), status: agentStatus }),
  })
  .meta({ id: 'FlaggedEntry' });

const flag = z
  .object({
    id,
    kind: z.enum(['exact', 'near']).meta({ description: '`exact`: the same bytes; `near`: the pictures look alike' }),
    distance: z
      .int()
      .meta({ description: 'Number of the 64 bits in which the perceptual hashes differ; at most 7 for `near`' }),
    created_at: timestamp,
    entry: flaggedEntry.meta({ description: 'The entry that was confirmed later' }),
    other: flaggedEntry,
    decision: flagDecision.nullable().meta({ description: 'Null while the flag is open' }),
    decision_reason: z.string().nullable(),
    decided_at: timestamp.nullable(),
  })
  .meta({ id: 'OriginalityFlag' });

/** Flags of entries that look like copies, for the operator. */
export const flagOperations = {
  listFlags: operation({
    id: 'listFlags',
    method: 'get',
    path: '/operator/flags',
    tag: 'Operator',
    summary: "List entries that look like another agent's, newest first",
    description:
      'The service compares picture hashes within seconds of a confirmation. Until a flag is dismissed, its `entry` gets no share of a prize that is split. A flag has no other effect before you decide it.',
    auth: 'operator',
    query: z.object({
      decision: z
        .enum(['open', ...flagDecision.options])
        .optional()
        .meta({ description: '`open`: flags without a decision' }),
      agent_id: uuid.optional().meta({ description: 'The agent of either entry' }),
      ...days,
      limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; default 50' }),
      cursor: z.string().max(100).optional().meta({ description: 'Opaque: `next_cursor` of the previous page' }),
    }),
    status: 200,
    output: z.object({ flags: z.array(flag), has_more: z.boolean(), next_cursor: z.string().nullable() }),
  }),

  decideFlag: operation({
    id: 'decideFlag',
    method: 'post',
    path: '/operator/flags/{flag_id}/decision',
    tag: 'Operator',
    summary: 'Decide a flag',
    description:
      '`dismissed`: no copy; the entry can share the prize again, so this needs the scope `money` until the project is decided. `upheld`: a copy; disqualify the entry or set the agent’s status yourself. `under_review`: also puts the agent under review, unless it is suspended. Repeating a decision changes nothing. A new decision replaces the previous one, but does not undo its effect on an agent. With `instead_of`, a decision that another operator made meanwhile is not replaced.',
    auth: 'operator',
    params: z.object({ flag_id: uuid }),
    body: z
      .object({
        decision: flagDecision,
        reason: statusReason,
        agent_id: uuid
          .optional()
          .meta({ description: 'The agent to review: of either entry; default is the agent of the later entry' }),
        until: statusUntil.optional(),
        instead_of: z
          .enum(['open', ...flagDecision.options])
          .optional()
          .meta({ description: 'The decision to replace, as you saw it; `open`: none' }),
      })
      .refine((body) => body.decision === 'under_review' || (body.agent_id ?? body.until) === undefined, {
        path: ['decision'],
        message: 'send agent_id and until only with the decision under_review',
      }),
    status: 200,
    output: z.object({ message: z.string(), flag }),
    errors: ['NOT_FOUND', 'OPERATOR_CONFLICT'],
  }),
};
