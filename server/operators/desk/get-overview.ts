import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context } from '../../deps.ts';
import { newestCheck, recoveryNeeded } from '../../ledger/public.ts';
import { countUndecided, sumDays, type VolumeRow } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';
import { webhookMetrics } from '../../webhooks/public.ts';
import { countRegistrations, sumMarket } from './business-queries.ts';
import {
  countAgentsByStatus,
  countDecisions,
  countFailedMail,
  countGivenUp,
  countProjects,
  readHeld,
} from './overview-queries.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';

type Operation = typeof overviewOperations.getOverview;
type Overview = Output<Operation>;
type Day = Overview['volume']['days'][number];

const DAY_MS = 86_400_000;
const MOST_GIVEN_UP = 10_000;
const MOST_STRAYS = 100;
/** A median of one or two choices says nothing. */
const FEWEST_CHOICES = 3;

/** Returns the business, the money, and what needs a decision. */
export async function getOverview(
  { reads, clock, network }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Overview> {
  const now = clock.now();
  const yesterday = new Date(now.getTime() - DAY_MS);
  const [
    volume,
    held,
    undecided,
    check,
    recovery,
    payouts,
    webhooks,
    givenUp,
    failedMail,
    agents,
    projects,
    open,
    business,
  ] = await Promise.all([
    sumDays(reads, firstDayOf(now, query.days)),
    readHeld(reads),
    countUndecided(reads),
    newestCheck(reads),
    recoveryNeeded(reads),
    unsettledPayouts(reads),
    webhookMetrics(reads, now),
    countGivenUp(reads, yesterday, MOST_GIVEN_UP),
    countFailedMail(reads, yesterday),
    countAgentsByStatus(reads, now),
    countProjects(reads),
    countDecisions(reads, { network: network.id, most: MOST_STRAYS }),
    businessOf(reads, { now, days: query.days }),
  ]);
  const days = daysOf(volume, { now, days: query.days });
  const settling = undecided.filter(({ state }) => state === 'settling');
  return {
    at: now,
    volume: { in_micro: sumOf(days, 'in_micro'), out_micro: sumOf(days, 'out_micro'), days },
    held: {
      escrow_micro: held.escrow,
      fees_micro: held.fees,
      payable_micro: held.payable,
      revenue_micro: held.revenue,
      stray_micro: held.stray,
      treasury_micro: held.treasury,
    },
    payments: {
      unknown: sumOf(settling, 'count'),
      oldest_unknown_at: settling.map(({ oldestAt }) => oldestAt).toSorted((a, b) => +a - +b)[0] ?? null,
      watched: sumOf(undecided, 'count') - sumOf(settling, 'count'),
    },
    payouts: payouts.map(({ state, count, amountMicro }) => ({ state, count, amount_micro: amountMicro })),
    ledger_check: check && checkOf(check),
    recovery_needed: recovery,
    webhooks: {
      oldest_undelivered_seconds: webhooks.oldestSeconds,
      due: webhooks.due,
      later: webhooks.later,
      given_up: givenUp,
    },
    emails: { failed: failedMail },
    agents,
    projects,
    results_on_hold: open.resultsOnHold,
    unclaimed_strays: open.unclaimedStrays,
    business,
  };
}

async function businessOf(reads: Queryable, { now, days }: { now: Date; days: number }): Promise<Overview['business']> {
  const since = firstDayOf(now, days);
  const dates = Array.from({ length: days }, (_, index) => dateOf(new Date(since.getTime() + index * DAY_MS)));
  const [market, registrations] = await Promise.all([
    sumMarket(reads, since),
    countRegistrations(reads, { since, fromId: firstIdAt(since), days: dates }),
  ]);
  const { projects, entered, entries, awarded, byPoster, medianSeconds } = market;
  return {
    published: projects,
    entered,
    entries,
    awarded,
    by_poster: byPoster,
    median_seconds: byPoster < FEWEST_CHOICES ? null : medianSeconds,
    registrations,
  };
}

/** Returns the start of the first of the last UTC days, today included. */
function firstDayOf(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - (days - 1)) * DAY_MS);
}

/** Returns the lowest UUIDv7 of a time. */
function firstIdAt(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function checkOf(check: NonNullable<Awaited<ReturnType<typeof newestCheck>>>): Overview['ledger_check'] {
  return {
    checked_at: check.checkedAt,
    block: check.block,
    balanced: check.balanced,
    chain_matches: check.chainMatches,
    problems: check.problems,
    treasury_micro: check.treasuryMicro,
    chain_micro: check.chainMicro,
  };
}

/** Returns one element for each day; a day without payments has zeros. */
function daysOf(rows: VolumeRow[], { now, days }: { now: Date; days: number }): Day[] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return Array.from({ length: days }, (_, index) => {
    const date = dateOf(new Date(now.getTime() - (days - 1 - index) * DAY_MS));
    const found = byDay.get(date) ?? [];
    const micro = (kind: VolumeRow['kind']) => found.find((row) => row.kind === kind)?.amountMicro ?? 0;
    return {
      date,
      in_micro: micro('entry_fee') + micro('escrow'),
      out_micro: micro('payout') + micro('refund'),
      entry_fees_micro: micro('entry_fee'),
      prizes_micro: micro('escrow'),
      payouts_micro: micro('payout'),
      refunds_micro: micro('refund'),
      payments: sumOf(found, 'payments'),
    };
  });
}

function sumOf<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
