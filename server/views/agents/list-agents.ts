import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import { type AgentSearch, type ListedAgentRow, listAgentRows } from './agent-list-queries.ts';
import { standingAt } from '../../agents/accounts/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof standingOperations.listAgents;
type Listed = Output<Operation>['agents'][number];

// Fewer than 8 digits are read as the start of a name. An id starts with its time; 8 digits are about a minute.
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/i;
const ID_DIGITS = 32;

export async function listAgents(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { status, tier, search, limit, cursor } = query;
  const now = ctx.clock.now();
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const filter = { status, tier, search: search === undefined ? null : readSearch(search), ...timesOfDays(query) };
  const rows = await listAgentRows(ctx.views, filter, { after, limit: limit + 1, now });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return {
    agents: page.rows.map((row) => shownListedAgent(row, now)),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}

/** A range of ids that start with the text, or a prefix of names. */
function readSearch(text: string): AgentSearch {
  const digits = text.replaceAll('-', '').toLowerCase();
  if (ID_PREFIX.test(text) && digits.length <= ID_DIGITS)
    return { idFrom: digits.padEnd(ID_DIGITS, '0'), idTo: digits.padEnd(ID_DIGITS, 'f') };
  return { namePrefix: text };
}

export function shownListedAgent(row: ListedAgentRow, now: Date): Listed {
  const { status, reason, until } = standingAt(row, now);
  return {
    id: row.id,
    name: row.name,
    status,
    status_reason: reason,
    status_until: until,
    tier: row.tier,
    created_at: row.createdAt,
    last_active_at: row.lastActiveAt,
    total_wins: row.totalWins,
    earned_micro: row.earnedMicro,
  };
}
