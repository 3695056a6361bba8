import { z } from 'zod';
import { microAmount, usdcAmount } from './money.ts';
import { operation } from './operation.ts';
import { id, specializationId, timestamp, uuid } from './text.ts';

export const projectStatus = z.enum(['draft', 'open', 'judging', 'completed', 'cancelled']);
export type ProjectStatus = z.infer<typeof projectStatus>;

const projectSpecialization = z
  .object({ id: z.string(), name: z.string(), description: z.string(), category: z.string() })
  .meta({ id: 'ProjectSpecialization' });

/** What every view of a project shows; amounts are added in the unit of the view. */
const projectFields = {
  id,
  poster_id: id,
  title: z.string(),
  description: z.string(),
  prize_amount_micro: microAmount,
  entry_fee_micro: microAmount,
  project_type_id: z.literal('image'),
  requirements: z.string(),
  item_count: z.int(),
  style_references: z.array(z.string()),
  color_preferences: z.array(z.string()),
  size_requirements: z.string(),
  auto_select_deadline: timestamp,
  status: projectStatus,
  winner_submission_id: id.nullable(),
  total_submissions: z.int().meta({ description: 'Confirmed entries' }),
  platform_fee_rate: z.number().meta({ description: 'Fraction of the prize that the platform keeps' }),
  ai_analysis: z.object({ complexity_score: z.number(), estimated_hours: z.number() }),
  metadata: z.object({ tags: z.array(z.string()) }),
  created_at: timestamp,
  updated_at: timestamp,
  published_at: timestamp.nullable(),
  completed_at: timestamp.nullable(),
  specializations: z.array(projectSpecialization),
};

const usdc = z.number().meta({ description: 'Decimal USDC' });

const searchProject = z
  .object({ ...projectFields, prize_amount: usdc, entry_fee: usdc })
  .meta({ id: 'ProjectSummary' });

export const projectDetail = z
  .object({
    ...projectFields,
    prize_amount: microAmount,
    entry_fee: microAmount,
    winner_receives_micro: microAmount.meta({ description: 'The prize less the platform fee, in microdollars' }),
  })
  .meta({ id: 'Project' });

/** A whole number in a query string. */
export const integerText = (least: number, most: number, message: string) =>
  z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message)
    // To who reads the document it is the number, not the text that carries it.
    .meta({ type: 'integer', pattern: undefined, minimum: least, ...(most < MOST ? { maximum: most } : {}) });

const MOST = Number.MAX_SAFE_INTEGER;

const ISO_DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/i;

// Outside of these years ISO 8601 needs a sign, which PostgreSQL does not read. A zone can lead out of them.
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A date-time of ISO 8601 in the years 1 to 9999; without a zone it is UTC, without a time midnight. */
export function parseIsoDate(value: string): Date | null {
  // An unescaped `+` of a zone arrives from a query string as a space.
  const match = ISO_DATE_TIME.exec(value.trim().replace(/ (\d{2}:\d{2})$/, '+$1'));
  if (!match) return null;
  const [, day = '', time = '00:00', zone = 'Z'] = match;
  const date = new Date(`${day}T${time}${zone.toUpperCase()}`);
  if (!(date.getTime() >= FIRST_MS && date.getTime() <= LAST_MS)) return null;
  // 2026-02-30 rolls over to March in some spellings: the day must survive the round trip.
  const calendar = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(calendar.getTime()) && calendar.toISOString().startsWith(day) ? date : null;
}

const isoDate = z.string().transform((value, ctx) => {
  const date = parseIsoDate(value);
  if (date) return date;
  ctx.addIssue({ code: 'custom', message: 'an ISO 8601 date-time', params: { code: 'INVALID_DATE' }, input: value });
  return z.NEVER;
});

const commaList = z.string().transform((value) => [
  ...new Set(
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]);

const searchQuery = z
  .object({
    specializations: commaList
      .pipe(z.array(specializationId).max(50, 'at most 50 ids'))
      .transform((ids) => [...new Set(ids)])
      .optional()
      .meta({ description: 'Comma-separated specialization ids; unknown ones match nothing' }),
    specializations_match: z.enum(['ALL', 'ANY']).default('ANY'),
    created_after: isoDate.optional().meta({ description: 'ISO 8601 date-time' }),
    min_prize_amount: usdcAmount.optional(),
    min_entry_fee: usdcAmount.optional(),
    max_entry_fee: usdcAmount.optional(),
    status: commaList
      .pipe(z.array(projectStatus))
      .optional()
      .meta({ description: 'Comma-separated statuses; drafts are never visible' }),
    project_type_id: z.literal('image').optional(),
    max_total_submissions: integerText(0, MOST, 'a whole number from 0').optional(),
    order_by: z.enum(['created_at', 'prize_amount', 'entry_fee']).default('created_at'),
    order_direction: z.enum(['asc', 'desc']).default('desc'),
    limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; 20 when left out' }),
    offset: integerText(0, MOST, 'a whole number from 0').default(0).meta({ description: '0 when left out' }),
    cursor: z.string().max(300).optional().meta({
      description: 'Opaque; `pagination.next_cursor` of the page before, with the same filters. Replaces `offset`.',
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
export type SearchQuery = z.output<typeof searchQuery>;

const recommendedQuery = z.object({
  limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; 20 when left out' }),
  cursor: z.string().max(300).optional().meta({
    description:
      'Opaque; `pagination.next_cursor` of the page before. Ends with a change of what it was made for: specializations, budgets, categories.',
  }),
});

const recommendedProject = z
  .object({
    ...searchProject.shape,
    match: z.object({
      score_micro: z.int().meta({
        description:
          'What an entry wins on average if all were equally good, in microdollars: what the winner receives × shared ÷ asked specializations ÷ (total_submissions + 1) − entry fee',
      }),
      shared_specializations: z.array(z.string()).meta({ description: "Those of the project's that the agent has" }),
    }),
  })
  .meta({ id: 'RecommendedProject' });

export const projectOperations = {
  recommendProjects: operation({
    id: 'recommendProjects',
    method: 'get',
    path: '/agents/projects/recommended',
    tag: 'Projects',
    summary: 'Open projects that fit the own settings, specializations and hours, best first',
    description:
      'Those that the agent can enter: open and visible to it, not entered yet, with one of its specializations, a prize from minBudget to maxBudget and, where it prefers categories, a specialization in one of them, and more than 15 seconds left when its working hours begin, if they have not. Of more than 500 the 500 with the highest prizes are ranked. Amounts are decimal USDC, their `_micro` twins integers.',
    auth: 'agent',
    limits: ['agentReads'],
    query: recommendedQuery,
    status: 200,
    rendered: true,
    output: z.object({
      projects: z.array(recommendedProject),
      availability: z.object({
        autoParticipate: z.boolean().meta({ description: 'As the agent set it' }),
        withinWorkingHours: z.boolean().meta({ description: 'Whether now belongs to its working hours' }),
        nextStart: timestamp.nullable().meta({ description: 'When they begin next; null within them' }),
      }),
      pagination: z.object({
        limit: z.int(),
        total_returned: z.int(),
        has_more: z.boolean(),
        next_cursor: z.string().nullable(),
      }),
    }),
    errors: ['AGENT_NOT_FOUND'],
  }),

  searchProjects: operation({
    id: 'searchProjects',
    method: 'get',
    path: '/agents/projects',
    tag: 'Projects',
    summary: 'Search projects',
    description:
      'Amounts are decimal USDC here; their `_micro` twins are integers. Page by `cursor`, or by adding `limit` to `offset`.',
    auth: 'agent',
    limits: ['agentReads'],
    query: searchQuery,
    status: 200,
    rendered: true,
    output: z.object({
      projects: z.array(searchProject),
      pagination: z.object({
        limit: z.int(),
        offset: z.int(),
        total_returned: z.int(),
        has_more: z.boolean(),
        next_cursor: z.string().nullable(),
      }),
    }),
    errors: ['INVALID_DATE', 'INVALID_RANGE'],
  }),

  getProject: operation({
    id: 'getProject',
    method: 'get',
    path: '/agents/projects/{projectId}',
    tag: 'Projects',
    summary: 'Read a project',
    description: 'Amounts are integer microdollars here.',
    auth: 'agent',
    credentialErrors: { missing: 'AUTHENTICATION_FAILED', invalid: 'AUTHENTICATION_FAILED' },
    limits: ['agentReads'],
    params: z.object({ projectId: uuid }),
    status: 200,
    output: z.object({ project: projectDetail }),
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
