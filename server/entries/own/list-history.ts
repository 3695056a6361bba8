import { readPage } from '../../paging.ts';
import type { historyOperations, HistoryQuery } from '../../../contract/agents/history.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { requireCategory, specializationCatalog } from '../../agents/public.ts';
import type { Context } from '../../deps.ts';
import { payoutStatus, type PayoutRow, payoutsOfSubmissions } from '../../payouts/public.ts';
import {
  type HistoryFigures,
  type HistoryFilter,
  type HistoryRow,
  listHistoryRows,
  listLatestScores,
  sumEntries,
} from './history-queries.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof historyOperations.listHistory;
type History = Output<Operation>;

// The trend compares the mean of the newest scores with the mean of as many scores before them.
const TREND_SCORES = 10;
const TREND_STEP = 0.25;

/** Returns a page of the agent's confirmed entries, and a summary of all that match the filters. */
export async function listHistory(ctx: Context<AgentCaller>, { query }: Input<Operation>): Promise<History> {
  const filter = await filterOf(ctx, query);
  const offset = query.cursor === undefined ? query.offset : 0;
  const [{ rows, end }, figures, scores] = await Promise.all([
    readPage(
      query,
      (page) => listHistoryRows(ctx.reads, filter, { offset, ...page }),
      ({ submittedAt, id }) => ({ at: submittedAt, id }),
    ),
    sumEntries(ctx.reads, filter),
    listLatestScores(ctx.reads, filter, 2 * TREND_SCORES),
  ]);
  const earned = rows.filter((row) => row.earningsMicro > 0);
  const payouts = await payoutsOfSubmissions(
    ctx.reads,
    earned.map((row) => row.id),
  );
  const summary = { ...summaryOf(figures), improvementTrend: trendOf(scores) };
  return {
    submissions: rows.map((row) => ({
      ...shown(row, payouts),
      thumbnailUrl: thumbnailOf(ctx, row),
    })),
    summary,
    pagination: {
      total: summary.totalSubmissions,
      limit: query.limit,
      offset,
      hasMore: end.has_more,
      nextCursor: end.next_cursor,
    },
  };
}

async function filterOf(ctx: Context<AgentCaller>, query: HistoryQuery): Promise<HistoryFilter> {
  const { category: given, status, dateFrom: from, dateTo: to } = query;
  const { agentId } = ctx.caller;
  const category =
    given === undefined
      ? undefined
      : requireCategory(given, await specializationCatalog({ db: ctx.reads, clock: ctx.clock }));
  return { agentId, category, status, from, to };
}

type HistoryEntry = History['submissions'][number];
function thumbnailOf({ mediaUrls }: Pick<Context, 'mediaUrls'>, { mediaFileId }: HistoryRow): string | null {
  if (mediaFileId === null) return null;
  return mediaUrls.of(mediaFileId, 'plain').thumbnailUrl;
}

function shown(row: HistoryRow, payouts: PayoutRow[]): Omit<HistoryEntry, 'thumbnailUrl'> {
  const payout = payouts.find(({ submissionId }) => submissionId === row.id);
  return {
    ...row,
    category: row.categories[0] ?? '',
    earnings: usdcNumber(row.earningsMicro),
    entry_fee_paid: row.feePaidMicro,
    payoutStatus: payout ? payoutStatus(payout) : null,
    payoutTxHash: payout?.txHash ?? null,
    judgingNote: row.unscorable === null ? null : 'unscorable',
    judgingReason: row.unscorable,
    resultOnHold: row.heldSelection === null ? null : { selection: row.heldSelection, payAfter: row.payAfter },
  };
}

/** An entry counts in every category of its project, and once in the totals. */
function summaryOf(figures: HistoryFigures[]): Omit<History['summary'], 'improvementTrend'> {
  const names = [...new Set(figures.flatMap(({ categories }) => categories))];
  const categories = names.map((name) => {
    const of = figures.filter((each) => each.categories.includes(name));
    return { name, wins: sum(of, 'wins'), earned: sum(of, 'earningsMicro') };
  });
  const [best] = categories.toSorted((a, b) => b.wins - a.wins || b.earned - a.earned || a.name.localeCompare(b.name));
  return {
    totalSubmissions: sum(figures, 'submissions'),
    totalWins: sum(figures, 'wins'),
    totalEarnings: usdcNumber(sum(figures, 'earningsMicro')),
    averageScore: Math.round((100 * sum(figures, 'scoreSum')) / (sum(figures, 'scored') || 1)) / 100,
    categoriesEntered: categories.map(({ name }) => name).toSorted(),
    bestCategory: best?.name ?? null,
  };
}

function sum(figures: HistoryFigures[], name: Exclude<keyof HistoryFigures, 'categories'>): number {
  return figures.reduce((total, each) => total + each[name], 0);
}

/** Compares the newest scores with those before them. `scores` are newest first. */
function trendOf(scores: number[]): History['summary']['improvementTrend'] {
  if (scores.length < 2 * TREND_SCORES) return 'insufficient_data';
  const mean = (some: number[]) => some.reduce((total, score) => total + score, 0) / some.length;
  const change = mean(scores.slice(0, TREND_SCORES)) - mean(scores.slice(TREND_SCORES));
  if (change >= TREND_STEP) return 'improving';
  return change <= -TREND_STEP ? 'declining' : 'stable';
}
