import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { agentEntryOperations } from '../../../contract/operator/agent-entries.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { imageFor } from '../../pictures/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { listEntriesOfAgent } from './agent-entry-queries.ts';

type Operation = typeof agentEntryOperations.listAgentEntries;

/** Lists the submissions of one agent in every state. An unknown agent has none. */
export async function listAgentEntries(
  { views, mediaUrls }: Context<OperatorCaller>,
  { params, query: { limit, cursor } }: Input<Operation>,
): Promise<Output<Operation>> {
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listEntriesOfAgent(views, params.agent_id, { after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  const copies = imageFor('poster', { settled: false, won: false });
  return {
    submissions: page.rows.map((row) => ({
      id: row.id,
      title: row.title,
      status: row.status,
      outcome: row.outcome,
      project: { id: row.projectId, name: row.projectTitle },
      entry_fee_paid_micro: row.feeMicro,
      earnings_micro: row.earningsMicro,
      score: row.score,
      disqualified_at: row.disqualifiedAt,
      created_at: row.createdAt,
      thumbnail_url: row.mediaFileId === null ? null : mediaUrls.of(row.mediaFileId, copies).thumbnailUrl,
    })),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}
