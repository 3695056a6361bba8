import { z } from 'zod';
import { entry, galleryFilter } from '../projects/gallery.ts';
import { days } from '../basics/days.ts';
import { microAmount, payoutStatus, usdcBound } from '../basics/money.ts';
import { operation } from '../basics/operation.ts';
import { machine } from './machine.ts';
import { projectPath } from '../posters.ts';
import { cancellation, endFields } from '../projects/ends.ts';
import { integerText, projectStatus } from '../projects/projects.ts';
import { id, text, timestamp, uuid } from '../basics/text.ts';

const volume = {
  in_micro: microAmount.meta({ description: 'Entry fees and prizes paid in' }),
  out_micro: microAmount.meta({ description: 'Payouts and refunds sent' }),
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
    problems: z.array(z.string()).meta({ description: 'Payouts stop while this list is not empty' }),
    treasury_micro: microAmount.nullable().meta({ description: 'The treasury account of the ledger at that time' }),
    chain_micro: z.int().nullable().meta({
      description:
        "The treasury's USDC on chain at `block`, in microdollars; may exceed the ledger by payments that were being booked",
    }),
  })
  .meta({ id: 'LedgerCheck' });

const overview = z
  .object({
    at: timestamp,
    volume: z.object({
      ...volume,
      days: z.array(day).meta({ description: 'UTC days, oldest first; the last is today' }),
    }),
    held: z
      .object({
        escrow_micro: microAmount.meta({ description: 'Prizes of projects that have not ended' }),
        fees_micro: microAmount.meta({ description: 'Entry fees of projects that have not ended' }),
        payable_micro: microAmount.meta({
          description:
            'Owed to wallets: payments that came too late, returned strays, and amounts that are too small for a transfer',
        }),
        revenue_micro: microAmount.meta({ description: 'Fees that the platform earned' }),
        stray_micro: microAmount.meta({ description: 'USDC that belongs to no payment' }),
        treasury_micro: microAmount.meta({ description: 'The sum of all accounts' }),
      })
      .meta({ description: 'Current balances of the ledger' }),
    payments: z.object({
      unknown: z.int().meta({ description: 'Payments whose outcome is not known yet' }),
      oldest_unknown_at: timestamp.nullable(),
      watched: z.int().meta({ description: 'Failed payments that could still execute on chain' }),
    }),
    payouts: z
      .array(z.object({ state: z.string(), count: z.int(), amount_micro: microAmount }))
      .meta({ description: 'Amounts owed, by state: waiting (for a wallet), held, ready, sending' }),
    ledger_check: check
      .nullable()
      .meta({ description: 'The newest check, usually from the last hour; null before the first' }),
    recovery_needed: z.string().nullable().meta({
      description: 'Why no money moves until `POST /operator/recovery` has run: the database is older than the chain',
    }),
    webhooks: z.object({
      oldest_undelivered_seconds: z
        .number()
        .meta({ description: 'How long the oldest undelivered delivery is overdue' }),
      due: z.int().meta({ description: 'Retries and slow deliveries that are due' }),
      later: z.int().meta({ description: 'Retries that are not due yet' }),
      fan_outs_open: z.int().meta({ description: 'Open parts of events; an event has 10 parts' }),
      given_up: z.int().meta({ description: 'In the last 24 hours; at most 10,000 are counted' }),
      attempts: z
        .array(z.object({ outcome: z.string(), count: z.int() }))
        .nullable()
        .meta({
          description: 'By `delivered` or the kind of failure, in this process since its start; null if it sends none',
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
    process: z
      .object({
        since: timestamp,
        answers: z.array(z.object({ status: z.int(), count: z.int() })),
        failures: z
          .array(z.object({ operation: z.string(), status: z.int(), count: z.int() }))
          .meta({ description: 'Responses with status 500 and above, most frequent first' }),
      })
      .meta({ description: 'Counts of the process that answers, since its start' }),
    machine,
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

const pageEnd = { has_more: z.boolean(), next_cursor: z.string().nullable() };
const cursor = z.string().max(100).optional().meta({ description: 'Opaque: `next_cursor` of the previous page' });

/** The operator's view of the whole service. Amounts are integer microdollars. */
export const overviewOperations = {
  getOverview: operation({
    id: 'getOverview',
    method: 'get',
    path: '/operator/overview',
    tag: 'Operator',
    summary: 'Read the state of the service',
    description:
      'Reads stored aggregates, so its cost does not depend on the size. It does not check the ledger: `ledger_check` is the newest check.',
    auth: 'operator',
    query: z.object({
      days: z
        .enum(['7', '30', '90'], '7, 30 or 90')
        .default('30')
        .transform(Number)
        .meta({ description: 'Days of volume: 7, 30 or 90; default 30' }),
    }),
    status: 200,
    output: overview,
  }),

  listProjectsAsOperator: operation({
    id: 'listProjectsAsOperator',
    method: 'get',
    path: '/operator/projects',
    tag: 'Operator',
    summary: 'List projects of all posters, newest first, drafts included',
    auth: 'operator',
    query: z.object({
      status: projectStatus.optional(),
      poster_id: uuid.optional(),
      search: text(1, 100).optional().meta({
        description: 'Beginnings of words in the title; or an id, or at least its first 8 digits',
      }),
      ...days,
      min_usdc: usdcBound.optional().meta({ description: 'The smallest prize' }),
      max_usdc: usdcBound.optional().meta({ description: 'The largest prize' }),
      limit: integerText(1, 100, '1 to 100').default(50).meta({ description: '1 to 100; default 50' }),
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
    summary: 'Read one project of any poster',
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
    summary: "List a project's confirmed entries with their pictures, earliest first",
    auth: 'operator',
    params: projectPath,
    query: z.object({
      filter: galleryFilter.default('all'),
      limit: integerText(1, 50, '1 to 50').default(20).meta({ description: '1 to 50; default 20' }),
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
