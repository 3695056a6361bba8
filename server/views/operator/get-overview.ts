import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context, Deps } from '../../deps.ts';
import { newestCheck, recoveryNeeded } from '../../ledger/public.ts';
import { countUndecided, volumeOf, type VolumeRow } from '../../payments/public.ts';
import { unsettledPayouts } from '../../reconciliation/public.ts';
import { webhookMetrics } from '../../webhooks/history/public.ts';
import { countAgentsByStatus, countGivenUp, countProjects, readHeld } from './overview-queries.ts';
import { machineOf } from './machine.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof overviewOperations.getOverview;
type Overview = Output<Operation>;
type Day = Overview['volume']['days'][number];

const DAY_MS = 86_400_000;
const MOST_GIVEN_UP = 10_000;
const SHOWN_FAILURES = 20;

/** Returns the operator's overview. Each number is stored already, or comes from a short index scan. */
export async function getOverview(ctx: Context<OperatorCaller>, { query }: Input<Operation>): Promise<Overview> {
  const { views } = ctx;
  const now = ctx.clock.now();
  const [volume, held, undecided, ledgerCheck, recovery, payouts, webhooks, givenUp, agents, projects, machine] =
    await Promise.all([
      volumeOf(ctx.db, { now, days: query.days }),
      readHeld(views),
      countUndecided(views),
      newestCheck(views),
      recoveryNeeded(views),
      unsettledPayouts(views),
      webhookMetrics(views, now),
      countGivenUp(views, new Date(now.getTime() - DAY_MS), MOST_GIVEN_UP),
      countAgentsByStatus(views, now),
      countProjects(views),
      machineOf(ctx),
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
    ledger_check: ledgerCheck && checkOf(ledgerCheck),
    recovery_needed: recovery,
    webhooks: {
      oldest_undelivered_seconds: webhooks.oldestSeconds,
      due: sumOf(webhooks.lanes, 'due'),
      later: sumOf(webhooks.lanes, 'later'),
      fan_outs_open: webhooks.fanOuts.open,
      given_up: givenUp,
      attempts: attemptsOf(ctx),
    },
    agents,
    projects,
    process: await processOf(ctx),
    machine,
  };
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
    const date = new Date(now.getTime() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
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

function attemptsOf({ processMetrics }: Pick<Deps, 'processMetrics'>): Overview['webhooks']['attempts'] {
  const attempts = processMetrics.attempts();
  return attempts && [...attempts].map(([outcome, count]) => ({ outcome, count }));
}

async function processOf({ processMetrics }: Pick<Deps, 'processMetrics'>): Promise<Overview['process']> {
  const counted = await processMetrics.answers();
  const statuses = Map.groupBy(counted, ({ status }) => status);
  return {
    since: processMetrics.since,
    answers: [...statuses]
      .map(([status, rows]) => ({ status, count: sumOf(rows, 'count') }))
      .toSorted((a, b) => a.status - b.status),
    failures: counted
      .filter(({ status }) => status >= 500)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, SHOWN_FAILURES),
  };
}

function sumOf<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((sum, row) => sum + row[name], 0);
}
