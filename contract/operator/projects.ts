import { z } from 'zod';
import { microAmount, payoutStatus } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { id, projectPath, text, timestamp, uuid } from '../basics/text.ts';
import { cancellation, endFields } from '../projects/ends.ts';
import { entry } from '../projects/gallery.ts';
import { projectStatus } from '../projects/projects.ts';
import { listedQuestion } from '../projects/questions.ts';
import { projectAct } from './operator.ts';
import { amounts, listQuery, pageEnd, someOf } from '../basics/lists.ts';

const listedProject = z
  .object({
    id,
    title: z.string(),
    status: projectStatus,
    poster: z.object({ id, name: z.string() }),
    prize_micro: microAmount,
    entry_fee_micro: microAmount,
    total_submissions: z.int().meta({ description: 'Confirmed entries' }),
    created_at: timestamp,
    published_at: timestamp.nullable(),
    auto_select_deadline: timestamp,
    closed_at: timestamp.nullable().meta({ description: 'When entries ended and judging started' }),
    judging_ends_at: timestamp.nullable(),
    awarded_at: timestamp
      .nullable()
      .meta({ description: 'From then on, the project cannot be canceled and entries cannot be disqualified' }),
    completed_at: timestamp.nullable(),
    ...cancellation,
    ...endFields,
    hold_reason: z.string().nullable().meta({ description: 'Why an operator holds the payout of `result_on_hold`' }),
    payout_status: payoutStatus
      .nullable()
      .meta({ description: 'The worst status of its payouts; null without payouts' }),
  })
  .meta({ id: 'OperatorProject' });

/** Projects of all posters, and their entries, as the operator sees them. */
export const operatorProjectOperations = operationsOf({
  listProjectsAsOperator: {
    ...asOperator,
    method: 'get',
    path: '/operator/projects',
    summary: 'List projects of all posters, newest first, drafts included',
    query: z.object({
      state: someOf(projectStatus.options),
      poster_id: uuid.optional(),
      search: text(1, 100).optional().meta({ description: 'Beginnings of words in the title' }),
      ...listQuery,
      ...amounts,
    }),
    output: z.object({ projects: z.array(listedProject), ...pageEnd }),
  },

  getProjectAsOperator: {
    ...asOperator,
    method: 'get',
    path: '/operator/projects/{project_id}',
    summary: 'Read one project of any poster, with its questions',
    params: projectPath,
    output: z.object({
      project: listedProject
        .extend({
          description: z.string(),
          requirements: z.string(),
          specializations: z.array(z.string()),
          winner_submission_id: id.nullable(),
          acts: z.array(projectAct).meta({ description: 'What `actOnProject` can do to it in its state' }),
          questions: z.array(listedQuestion).meta({ description: 'The newest 100, hidden ones too' }),
        })
        .meta({ id: 'OperatorProjectDetail' }),
    }),
    errors: ['PROJECT_NOT_FOUND'],
  },

  listEntriesAsOperator: {
    ...asOperator,
    method: 'get',
    path: '/operator/submissions',
    summary: 'List confirmed entries with their pictures, newest first',
    description: 'The pictures are watermarked. For the originals, state a reason.',
    query: z.object({ project_id: uuid.optional(), agent_id: uuid.optional(), ...listQuery }),
    output: z.object({
      submissions: z.array(entry.extend({ project_title: z.string() }).meta({ id: 'OperatorEntry' })),
      ...pageEnd,
    }),
  },
});
