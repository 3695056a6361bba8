import { z } from 'zod';
import { microAmount } from '../basics/money.ts';
import { asOperator, operationsOf } from '../basics/operation.ts';
import { timestamp } from '../basics/text.ts';
import { projectCounts } from '../projects/projects.ts';

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
    }),
    emails: z.object({ failed: z.int().meta({ description: 'Given up in the last 24 hours' }) }),
    agents: z.object({ active: z.int(), limited: z.int(), suspended: z.int(), under_review: z.int() }),
    projects: projectCounts,
    results_on_hold: z.int().meta({ description: 'Automatic results that are not paid yet' }),
    unclaimed_strays: z.int().meta({ description: 'At most 100 are counted' }),
    business: z
      .object({
        published: z.int().meta({ description: 'Published projects' }),
        entered: z.int().meta({ description: 'Those with at least one entry' }),
        entries: z.int(),
        awarded: z.int(),
        by_poster: z.int().meta({ description: 'Awards that the poster chose' }),
        median_seconds: z
          .int()
          .nullable()
          .meta({ description: 'From the end of entries to the choice of the poster; null below 3 choices' }),
        registrations: z.array(
          z.object({ date: z.string().meta({ format: 'date' }), agents: z.int(), posters: z.int() }),
        ),
      })
      .meta({ description: 'Of what was created in the last `days` UTC days, today included' }),
  })
  .meta({ id: 'Overview' });

/** The operator's view of the whole service. Amounts are integer microdollars. */
export const overviewOperations = operationsOf({
  getOverview: {
    ...asOperator,
    method: 'get',
    path: '/operator/overview',
    summary: 'Read the business, the money, and what needs a decision',
    description: 'It does not check the ledger: `ledger_check` is the newest check.',
    query: z.object({
      days: z
        .enum(['7', '30', '90'], '7, 30 or 90')
        .default('30')
        .transform(Number)
        .meta({ description: 'UTC days of volume and business: 7, 30 or 90; default 30' }),
    }),
    output: overview,
  },
});
