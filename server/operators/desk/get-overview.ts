import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context } from '../../deps.ts';
import { newestCheck, recoveryNeeded } from '../../ledger/public.ts';
import { countUndecided, sumDays, type VolumeRow } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';
import { webhookMetrics } from '../../webhooks/public.ts';
import {
  countAgentsByStatus,
  countDecisions,
  countFailedMail,
  countProjects,
  countRegistrations,
  readHeld,
  sumMarket,
} from './overview-queries.ts';
import type { OperatorCaller } from '../../callers.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof overviewOperations.getOverview;
type Overview = Output<Operation>;
type Day = Overview['volume']['days'][number];

const DAY_MS = 86_400_000;
const MOST_STRAYS = 100;

/** Returns the business, the money, and what needs a decision. */
export async function getOverview(
  { reads, clock, network }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Overview> {
  const now = clock.now();
  const { days: length } = query;
  const since = firstDayOf(now, length);
  const [
    volume,
    held,
    undecided,
    check,
    recovery,
    payouts,
    webhooks,
    failedMail,
    agents,
    projects,
    decisions,
    market,
    registrations,
  ] = await Promise.all([
    sumDays(reads, since),
    readHeld(reads),
    countUndecided(reads),
    newestCheck(reads),
    recoveryNeeded(reads),
    unsettledPayouts(reads),
    webhookMetrics(reads, now),
    countFailedMail(reads, new Date(now.getTime() - DAY_MS)),
    countAgentsByStatus(reads, now),
    countProjects(reads),
    countDecisions(reads, { network: network.id, most: MOST_STRAYS }),
    sumMarket(reads, since),
    countRegistrations(reads, { since, fromId: firstIdAt(since), days: datesFrom(since, length) }),
  ]);
  const days = daysOf(volume, datesFrom(since, length));
  const settling = undecided.filter(({ state }) => state === 'settling');
  return {
    at: now,
    volume: { in_micro: sumOf(days, 'in_micro'), out_micro: sumOf(days, 'out_micro'), days },
    held,
    payments: {
      unknown: sumOf(settling, 'count'),
      oldest_unknown_at: settling.map(({ oldestAt }) => oldestAt).toSorted((a, b) => +a - +b)[0] ?? null,
    },
    payouts: payouts.map((each) => snakeCased(each)),
    ledger_check: check && snakeCased(check),
    recovery_needed: recovery,
    webhooks: { oldest_undelivered_seconds: webhooks.oldestSeconds },
    emails: { failed: failedMail },
    agents,
    projects,
    ...decisions,
    business: { ...market, registrations },
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

/** Returns UTC days, such as `2026-11-29`. */
function datesFrom(first: Date, length: number): string[] {
  const dayOf = (index: number) => new Date(first.getTime() + index * DAY_MS).toISOString();
  return Array.from({ length }, (_, index) => dayOf(index).slice(0, 'YYYY-MM-DD'.length));
}

/** Returns one element for each day; a day without payments has zeros. */
function daysOf(rows: VolumeRow[], dates: string[]): Day[] {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return dates.map((date) => {
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
