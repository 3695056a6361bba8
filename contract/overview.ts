import { z } from 'zod';
import { entry, galleryFilter } from './gallery.ts';
import { microAmount, payoutStatus } from './money.ts';
import { operation } from './operation.ts';
import { projectPath } from './posters.ts';
import { integerText, projectStatus } from './projects.ts';
import { id, text, timestamp, uuid } from './text.ts';

const volume = {
  in_micro: microAmount.meta({ description: 'Entry fees and prizes that were paid in' }),
  out_micro: microAmount.meta({ description: 'Payouts and refunds that were sent' }),
};

const day = z
  .object({
    date: z.string().meta({ format: 'date' }),
    ...volume,
    entry_fees_micro: microAmount,
    prizes_micro: microAmount.meta({ description: 'Paid into escrow' }),
    payouts_micro: microAmount.meta({ description: 'Prizes, shares and withdrawals' }),
    refunds_micro: microAmount,
    payments: z.int(),
  })
  .meta({ id: 'VolumeOfDay' });

const check = z
  .object({
    checked_at: timestamp,
    block: z.int(),
    balanced: z.boolean(),
    chain_matches: z.boolean(),
    problems: z.array(z.string()).meta({ description: 'While there are any, nothing is paid out' }),
    treasury_micro: microAmount.nullable().meta({ description: 'The treasury in the books at that moment' }),
    chain_micro: z.int().nullable().meta({
      description:
        "The treasury's USDC on chain at `block`, in microdollars; ahead of the books by what was being booked",
    }),
  })
  .meta({ id: 'LedgerCheck' });

const overview = z
  .object({
    at: timestamp,
    volume: z.object({
      ...volume,
      days: z.array(day).meta({ description: 'UTC days, oldest first, the last is today' }),
    }),
    held: z
      .object({
        escrow_micro: microAmount.meta({ description: 'Prizes of projects that have not ended' }),
        fees_micro: microAmount.meta({ description: 'Entry fees of projects that have not ended' }),
        payable_micro: microAmount.meta({ description: 'Owed back: payments that came too late' }),
        revenue_micro: microAmount.meta({ description: "The platform's" }),
        stray_micro: microAmount.meta({ description: "Nobody's" }),
        treasury_micro: microAmount.meta({ description: 'All of it' }),
      })
      .meta({ description: 'The books, now' }),
    payments: z.object({
      unknown: z.int().meta({ description: 'Settlements whose outcome is not known yet' }),
      oldest_unknown_at: timestamp.nullable(),
      watched: z.int().meta({ description: 'Failed ones that could still execute' }),
    }),
    payouts: z
      .array(z.object({ state: z.string(), count: z.int(), amount_micro: microAmount }))
      .meta({ description: 'What is owed, by state: waiting (for a wallet), held, ready, sending' }),
    ledger_check: check
      .nullable()
      .meta({ description: 'The newest one, of the last hour as a rule; null before the first' }),
    webhooks: z.object({
      oldest_undelivered_seconds: z
        .number()
        .meta({ description: 'How long the delivery that waits longest is overdue' }),
      due: z.int().meta({ description: 'Retries and slow ones that are due' }),
      later: z.int().meta({ description: 'Retries that wait for their time' }),
      fan_outs_open: z.int().meta({ description: 'Parts of events that are being sent; an event has 10' }),
      given_up: z.int().meta({ description: 'In the last 24 hours; counted to 10,000' }),
      attempts: z
        .array(z.object({ outcome: z.string(), count: z.int() }))
        .nullable()
        .meta({
          description: 'By `delivered` or how they failed: of this process since its start; null where it sends none',
        }),
    }),
    agents: z.object({ active: z.int(), limited: z.int(), suspended: z.int(), under_review: z.int() }),
    projects: z.object({
      draft: z.int(),
      open: z.int(),
      judging: z.int(),
      completed: z.int(),
      cancelled: z.int(),
    }),
    open_flags: z.int().meta({ description: 'Flags of originality that wait for a decision' }),
    process: z
      .object({
        since: timestamp,
        answers: z.array(z.object({ status: z.int(), count: z.int() })),
        failures: z
          .array(z.object({ operation: z.string(), status: z.int(), count: z.int() }))
          .meta({ description: 'Answers of 500 and above, the most frequent first' }),
      })
      .meta({ description: 'Of the process that answers, since its start' }),
  })
  .meta({ id: 'Overview' });

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
    closed_at: timestamp.nullable().meta({ description: 'When it stopped taking entries and judging began' }),
    judging_ends_at: timestamp.nullable(),
    awarded_at: timestamp
      .nullable()
      .meta({ description: 'From then on it can not be cancelled, nor an entry disqualified' }),
    completed_at: timestamp.nullable(),
    cancel_reason: z.string().nullable(),
    payout_status: payoutStatus.nullable().meta({ description: 'The worst of what is owed; null where nothing is' }),
  })
  .meta({ id: 'OperatorProject' });

const pageEnd = { has_more: z.boolean(), next_cursor: z.string().nullable() };
const cursor = z.string().max(100).optional().meta({ description: 'Opaque; `next_cursor` of the page before' });

export const overviewOperations = {
  getOverview: operation({
    id: 'getOverview',
    method: 'get',
    path: '/operator/overview',
    tag: 'Operator',
    summary: 'See how the service is doing',
    description:
      'Read from what is kept, so it costs the same at any size; the books are not checked for it: `ledger_check` is the newest check.',
    auth: 'operator',
    query: z.object({
      days: z
        .enum(['7', '30', '90'], '7, 30 or 90')
        .default('30')
        .transform(Number)
        .meta({ description: 'Days of volume: 7, 30 or 90; 30 when left out' }),
    }),
    status: 200,
    output: overview,
  }),

  listProjectsAsOperator: operation({
    id: 'listProjectsAsOperator',
    method: 'get',
    path: '/operator/projects',
    tag: 'Operator',
    summary: 'Find projects of all posters, newest first, drafts included',
    auth: 'operator',
    query: z.object({
      status: projectStatus.optional(),
      poster_id: uuid.optional(),
      search: text(1, 100).optional().meta({
        description: 'Words of the title, each by its beginning; or an id, or its first 8 digits or more',
      }),
      limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; 50 when left out' }),
      cursor,
    }),
    status: 200,
    output: z.object({ projects: z.array(listedProject), ...pageEnd }),
  }),

  getProjectAsOperator: operation({
    id: 'getProjectAsOperator',
    method: 'get',
    path: '/operator/projects/{project_id}',
    tag: 'Operator',
    summary: 'Look at one project, whosever it is',
    auth: 'operator',
    params: projectPath,
    status: 200,
    output: z.object({
      project: listedProject
        .extend({
          description: z.string(),
          requirements: z.string(),
          specializations: z.array(z.string()),
          winner_submission_id: id.nullable(),
        })
        .meta({ id: 'OperatorProjectDetail' }),
    }),
    errors: ['PROJECT_NOT_FOUND'],
  }),

  listEntriesAsOperator: operation({
    id: 'listEntriesAsOperator',
    method: 'get',
    path: '/operator/projects/{project_id}/submissions',
    tag: 'Operator',
    summary: "See a project's confirmed entries with their pictures, earliest first",
    auth: 'operator',
    params: projectPath,
    query: z.object({
      filter: galleryFilter.default('all'),
      limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; 20 when left out' }),
      cursor,
    }),
    status: 200,
    output: z.object({
      submissions: z.array(entry),
      counts: z.object({ total: z.int(), unscored: z.int() }),
      ...pageEnd,
    }),
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
