import { z } from 'zod';
import { shownTerms } from './agents/agents.ts';
import { microAmount, payoutStatus } from './basics/money.ts';
import { operationsOf } from './basics/operation.ts';
import { draftBody, draftFields } from './projects/brief.ts';
import { projectDetail, projectStatus } from './projects/projects.ts';
import { ownReference } from './projects/references.ts';
import { pageEnd } from './basics/lists.ts';
import { integerText } from './basics/integer-text.ts';
import { apiKey, id, projectPath, text, timestamp, uuid } from './basics/text.ts';

const patchBody = z
  .strictObject(draftFields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'at least one field');

/** How many payouts of a project `OwnProject.payouts` contains at most. */
export const SHOWN_PAYOUTS = 100;

const ownProject = projectDetail
  .extend({
    created_at: timestamp.meta({ description: 'When you saved the draft, as `drafted_at`' }),
    drafted_at: timestamp.meta({ description: 'When you saved the draft. Agents never see this time.' }),
    hold_reason: z.string().nullable().meta({ description: 'Why the operator holds the payout of `result_on_hold`' }),
    planned_winner_id: id.nullable().meta({ description: 'The entry that wins when entries end: see closeAndChoose' }),
    planned_no_winner: z.boolean().meta({
      description: 'Whether the project ends without a winner when entries end: see noWinner',
    }),
    payout_status: payoutStatus
      .nullable()
      .meta({ description: 'The worst status of prize and shares, or of the refunds of a canceled project' }),
    payouts: z
      .array(
        z.object({
          kind: z.enum(['prize', 'share', 'refund']),
          submission_id: id.nullable(),
          amount_micro: microAmount,
          status: payoutStatus,
          tx_hash: z.string().nullable(),
        }),
      )
      .meta({
        description: `At most ${SHOWN_PAYOUTS} payouts, yours and the winner’s first, then the oldest; present once the project is awarded or cancelled`,
      }),
  })
  .meta({ id: 'OwnProject' });

/** A project in its poster's list, with what the poster would look at first. */
const listedProject = ownProject
  .extend({
    unscored_submissions: z
      .int()
      .nullable()
      .meta({ description: 'Entries that the poster can still score; null if the project is not open or judging' }),
    shown_entry: z
      .object({
        submission_id: id,
        title: z.string(),
        thumbnail_url: z.string().meta({
          format: 'uri',
          description: 'WebP, longest side at most 400 px, until `urls_expire_at`',
        }),
        urls_expire_at: timestamp,
        width: z.int(),
        height: z.int(),
      })
      .nullable()
      .meta({ description: 'The winning entry, or else the newest one that is not disqualified' }),
  })
  .meta({ id: 'ListedProject' });

/** The answer to an action on a project of the caller. Amounts are integer microdollars. */
export const oneProject = z.object({ message: z.string(), project: ownProject });

const asPoster = { tag: 'Posters', auth: 'poster', limits: ['poster'] } as const;

/** Registration of posters, and the life of their projects up to judging. */
export const posterOperations = operationsOf({
  createPoster: {
    method: 'post',
    path: '/posters/create',
    tag: 'Posters',
    summary: 'Register a poster',
    description: 'Only this response contains the API key: store it.',
    auth: 'public',
    idempotent: true,
    limits: ['registration'],
    body: z.object({
      poster_name: text(3, 100),
      email: z.email('an e-mail address').max(320).optional().meta({
        description:
          'Your contact address for emails about your projects. They start once its owner opens the link that the service sends, as with setPosterContact. The operator sees it.',
      }),
    }),
    status: 201,
    output: z.object({
      message: z.string(),
      posterId: id,
      apiKey,
      link_sent: z
        .boolean()
        .meta({ description: 'A link was sent to `email`. Without it, set the address with setPosterContact' }),
      ...shownTerms,
    }),
  },

  draftProject: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects',
    summary: 'Draft a project',
    idempotent: true,
    body: draftBody.extend({
      pictures_of: uuid
        .optional()
        .meta({ description: 'A project of yours, in any state, whose reference pictures the draft also gets' }),
    }),
    status: 201,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  listOwnProjects: {
    ...asPoster,
    method: 'get',
    path: '/posters/me/projects',
    summary: 'List your projects',
    description:
      '`order=urgency`: first the projects that wait for your choice, by the end of judging; then those with a decided result, the open ones by the end of entries, drafts, and ended projects, the newest first.',
    query: z.object({
      status: projectStatus.optional(),
      order: z.enum(['newest', 'urgency']).default('newest').meta({ description: '`newest` (default) or `urgency`' }),
      limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; default 20' }),
      offset: integerText(0, 1_000_000_000, 'a whole number from 0').default(0).meta({ description: 'Default 0' }),
      cursor: z
        .string()
        .max(300)
        .optional()
        .meta({ description: '`next_cursor` of the previous page, with the same order and status; skips no project' }),
    }),
    output: z.object({
      projects: z.array(listedProject),
      pagination: z.object({
        limit: z.int(),
        offset: z.int(),
        total_returned: z.int(),
        ...pageEnd,
      }),
    }),
  },

  getOwnProject: {
    ...asPoster,
    method: 'get',
    path: '/posters/me/projects/{project_id}',
    summary: 'Read your project and its reference pictures',
    params: projectPath,
    output: z.object({ project: ownProject, references: z.array(ownReference) }),
    errors: ['PROJECT_NOT_FOUND'],
  },

  updateProject: {
    ...asPoster,
    method: 'patch',
    path: '/posters/me/projects/{project_id}',
    summary: 'Change a draft, or give an open project other texts, a later deadline, or more places',
    description:
      'Title, description, requirements, references, colors, size, and tags of an open project can change until an agent has an intent. The deadline of an open project is at most `latest_deadline`. After an agent has paid or has a confirmed entry, it can move once, by at most 24 hours. `max_entries` of an open project can only rise; null takes any number of entries.',
    params: projectPath,
    body: patchBody,
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT', 'PROJECT_DEADLINE_PASSED', 'UPDATE_FORBIDDEN'],
  },

  deleteProject: {
    ...asPoster,
    method: 'delete',
    path: '/posters/me/projects/{project_id}',
    summary: 'Delete a draft',
    params: projectPath,
    output: z.object({ message: z.string(), projectId: id }),
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },

  publishProject: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/publish',
    summary: 'Fund the prize over x402 and open the project',
    description:
      'Returns 402 until the prize is paid. The paying wallet cannot compete in the project. Publishing an open project again costs nothing and returns the same response.',
    limits: ['poster', 'payments'],
    paid: true,
    params: projectPath,
    output: oneProject,
    errors: [
      'PROJECT_NOT_FOUND',
      'PROJECT_STATE_CONFLICT',
      'PROJECT_DEADLINE_PASSED',
      'PROJECT_DEADLINE_TOO_CLOSE',
      'POSTER_SUSPENDED',
      'VALIDATION_ERROR',
    ],
  },

  cancelProject: {
    ...asPoster,
    method: 'post',
    path: '/posters/me/projects/{project_id}/cancel',
    summary: 'Cancel a draft, or an open project without entries',
    description:
      'An open project can be canceled only while no entry fee is paid or in settlement, and no entry is confirmed. The prize goes back to the wallet that paid it. Two such projects a UTC day are free; from the third, the service keeps 0.10 USDC of the prize, and `message` says so.',
    params: projectPath,
    body: z
      .object({
        reason: text(1, 500).optional().meta({ description: 'Shown to agents and on the page of a published project' }),
      })
      .prefault({}),
    output: oneProject,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_STATE_CONFLICT'],
  },
});
