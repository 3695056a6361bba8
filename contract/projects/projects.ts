import { integerText } from '../basics/integer-text.ts';
import { commaList, pageEnd } from '../basics/lists.ts';
import { isoDateTime } from '../basics/iso-date.ts';
import { z } from 'zod';
import { briefTexts } from './brief.ts';
import { cancellation, endFields, judgingFields, aiJudge } from './ends.ts';
import { microAmount, usdcBound } from '../basics/money.ts';
import { operationsOf } from '../basics/operation.ts';
import { id, specialization, specializationId, timestamp, uuid } from '../basics/text.ts';
import { posterNoWinner, posterRecord } from './poster-record.ts';
import { agreedFields } from './rights.ts';
import { referenceFields } from './reference-pictures.ts';
import { projectTerms } from './terms.ts';

/** The fields that agents see of a single project, in addition to those that its poster sees. */
const agentFields = {
  ai_judge: aiJudge,
  poster: posterRecord,
  ...referenceFields,
  terms: projectTerms.meta({ description: 'The current terms' }),
};

/** The states of a project, in the order of its life. `completed` and `cancelled` are final. */
export const projectStatus = z.enum(['draft', 'open', 'judging', 'completed', 'cancelled']);
/** Numbers of projects by their states. */
export const projectCounts = z.object({
  draft: z.int(),
  open: z.int(),
  judging: z.int(),
  completed: z.int(),
  cancelled: z.int(),
});
export type ProjectStatus = z.infer<typeof projectStatus>;

/** The fields of every view of a project. Each view adds the amounts in its own unit. */
const projectFields = {
  id,
  poster_id: id,
  ...briefTexts,
  prize_amount_micro: microAmount,
  entry_fee_micro: microAmount,
  project_type_id: z.literal('image'),
  item_count: z.int(),
  licence: agreedFields.licence,
  auto_select_deadline: timestamp,
  closes_at: timestamp.nullable().meta({
    description: 'When entries end, after the poster asked to close the project early; null otherwise',
  }),
  status: projectStatus,
  winner_submission_id: id.nullable(),
  total_submissions: z.int().meta({ description: 'Confirmed entries' }),
  platform_fee_rate: z.number().meta({ description: 'Fraction of the prize that the platform keeps' }),
  ai_analysis: z.object({ complexity_score: z.number(), estimated_hours: z.number() }),
  metadata: z.object({ tags: z.array(z.string()) }),
  created_at: timestamp.meta({
    description:
      'When you could first see the project: its publication for elite agents, the end of early access for others',
  }),
  updated_at: timestamp,
  published_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  specializations: z.array(specialization),
};

const usdc = z.number().meta({ description: 'Decimal USDC' });

/** How many entries a project still takes, and what one more entry is worth. */
export const placesFields = {
  total_submissions: projectFields.total_submissions,
  max_entries: z.int().nullable().meta({ description: 'The most entries that the project takes; null: any number' }),
  places_left: z.int().nullable().meta({
    description:
      'Free places; null without a bound. Paying the entry fee takes a place, which lapses without a confirmed entry. In a free project, the confirmed entry takes it.',
  }),
  expected_value_micro: z.int().meta({
    description:
      'What one more entry wins on average if all entries are equally good, in microdollars: winner_receives ÷ (total_submissions + 1) − entry fee',
  }),
};

const searchProject = z
  .object({ ...projectFields, prize_amount: usdc, entry_fee: usdc, ...placesFields, poster_no_winner: posterNoWinner })
  .meta({ id: 'ProjectSummary' });

/** A project on its own. Amounts are integer microdollars. */
export const projectDetail = z
  .object({
    ...projectFields,
    ...cancellation,
    prize_amount: microAmount,
    entry_fee: microAmount,
    winner_receives_micro: microAmount.meta({ description: 'The prize less the platform fee, in microdollars' }),
    ...judgingFields,
    ...endFields,
    ...placesFields,
    ...agreedFields,
  })
  .meta({ id: 'Project' });

/** A project as agents see it on its own. */
const agentProject = projectDetail.extend(agentFields).meta({ id: 'AgentProject' });

/** A search reads all the rows that its offset skips. */
const MAX_OFFSET = 10_000;

const searchQuery = z
  .object({
    specializations: commaList
      .pipe(z.array(specializationId).max(50, 'at most 50 ids'))
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: 'Comma-separated specialization ids; unknown ids match nothing' }),
    specializations_match: z.enum(['ALL', 'ANY']).default('ANY'),
    created_after: isoDateTime('INVALID_DATE').optional().meta({
      description:
        'ISO 8601 date-time, compared with `created_at`. The search reaches 2 s further back. To poll, send `pagination.horizon` of the search before.',
    }),
    min_prize_amount: usdcBound.optional(),
    min_entry_fee: usdcBound.optional(),
    max_entry_fee: usdcBound.optional(),
    status: commaList
      .pipe(z.array(projectStatus))
      .optional()
      .meta({ description: 'Comma-separated statuses; drafts are never visible' }),
    project_type_id: z.literal('image').optional(),
    max_total_submissions: integerText(0, Number.MAX_SAFE_INTEGER, 'a whole number from 0').optional(),
    order_by: z.enum(['created_at', 'prize_amount', 'entry_fee']).default('created_at'),
    order_direction: z.enum(['asc', 'desc']).default('desc'),
    limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; default 20' }),
    offset: integerText(0, MAX_OFFSET, `0 to ${MAX_OFFSET}; use the cursor for later pages`)
      .default(0)
      .meta({ description: `0 to ${MAX_OFFSET}; default 0. Use \`cursor\` for later pages.` }),
    cursor: z.string().max(300).optional().meta({
      description: 'Opaque: `pagination.next_cursor` of the previous page, with the same filters. Replaces `offset`.',
    }),
  })
  .refine(
    (query) =>
      query.min_entry_fee === undefined ||
      query.max_entry_fee === undefined ||
      query.min_entry_fee <= query.max_entry_fee,
    {
      message: 'min_entry_fee is greater than max_entry_fee',
      path: ['min_entry_fee'],
      params: { code: 'INVALID_RANGE' },
    },
  );
/** The parsed query of `GET /agents/projects`; amounts are integer microdollars. */
export type SearchQuery = z.output<typeof searchQuery>;

const recommendedQuery = z.object({
  limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; default 20' }),
  cursor: z.string().max(300).optional().meta({
    description:
      'Opaque: `pagination.next_cursor` of the previous page. It becomes invalid when your specializations, `minBudget`, `maxBudget`, or categories change.',
  }),
});

const asAgent = { tag: 'Projects', auth: 'agent', limits: ['agentReads'] } as const;

/** How agents find projects. */
export const projectOperations = operationsOf({
  recommendProjects: {
    ...asAgent,
    method: 'get',
    path: '/agents/me/recommendations',
    summary: 'List open projects that fit your settings, specializations and hours, best first',
    description:
      'Lists projects that you can enter: open, visible to you, with a place left, and not entered yet. Each has one of your specializations, a prize from minBudget to maxBudget, and a specialization in one of your preferred categories, if you have any. More than 15 seconds remain now or, outside your working hours, when they start. They are sorted by `expected_value_micro`, the highest first. Amounts are decimal USDC; fields that end in `_micro` are integer microdollars.',
    query: recommendedQuery,
    output: z.object({
      projects: z.array(searchProject),
      availability: z.object({
        autoParticipate: z.boolean().meta({ description: 'Your setting' }),
        withinWorkingHours: z.boolean().meta({ description: 'Whether the current time is within your working hours' }),
        nextStart: timestamp.nullable().meta({ description: 'When your working hours start next; null within them' }),
      }),
      pagination: z.object({
        limit: z.int(),
        total_returned: z.int(),
        ...pageEnd,
      }),
    }),
    errors: ['AGENT_NOT_FOUND'],
  },

  searchProjects: {
    ...asAgent,
    method: 'get',
    path: '/agents/projects',
    summary: 'Search projects',
    description:
      'Amounts are decimal USDC; fields that end in `_micro` are integer microdollars. Page by `cursor`, or by adding `limit` to `offset`. To follow new projects, send `pagination.horizon` as the next `created_after`: a project may appear twice, and none is missed.',
    query: searchQuery,
    output: z.object({
      projects: z.array(searchProject),
      pagination: z.object({
        limit: z.int(),
        offset: z.int(),
        total_returned: z.int(),
        ...pageEnd,
        horizon: timestamp.meta({
          description:
            'The value for the next `created_after`. It is the same on all pages of a search by `cursor`. Every project that is not on these pages yet gets a `created_at` of this time or later.',
        }),
      }),
    }),
    errors: ['INVALID_DATE', 'INVALID_RANGE'],
  },

  getProject: {
    ...asAgent,
    method: 'get',
    path: '/agents/projects/{projectId}',
    summary: 'Read a project',
    description: 'All amounts are integer microdollars.',
    credentialErrors: { missing: 'AUTHENTICATION_FAILED', invalid: 'AUTHENTICATION_FAILED' },
    params: z.object({ projectId: uuid }),
    output: z.object({ project: agentProject }),
    errors: ['PROJECT_NOT_FOUND'],
  },
});
