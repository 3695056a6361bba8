import type { flagOperations } from '../../../contract/operator/flags.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context, Deps } from '../../deps.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import { type FlagRow, listFlagRows } from '../../entries/originality/public.ts';
import { copiesFor } from '../../pictures/public.ts';
import { type FlaggedEntry, listFlaggedEntries } from './flagged-entry-queries.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof flagOperations.listFlags;
type Flag = Output<Operation>['flags'][number];

/** Lists pairs of entries that look alike, newest first. */
export async function listFlags(ctx: Context<OperatorCaller>, { query }: Input<Operation>): Promise<Output<Operation>> {
  const { decision, agent_id: agentId, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listFlagRows(ctx.views, { decision, agentId, ...timesOfDays(query) }, { after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { flags: await shownFlags(ctx, page.rows), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** Returns flags with both of their entries, as the operator sees them. */
export async function shownFlags(
  { views, clock, mediaUrls }: Pick<Deps, 'views' | 'clock' | 'mediaUrls'>,
  rows: FlagRow[],
): Promise<Flag[]> {
  const items = new Map(rows.flatMap(itemsOf).map((one) => [keyOf(one), one]));
  const entries = await listFlaggedEntries(views, [...items.values()], clock.now());
  const shown = new Map(entries.map((entry) => [keyOf(entry), shownEntry(mediaUrls, entry)]));
  return rows.flatMap((row) => {
    const [entry, other] = itemsOf(row).map((one) => shown.get(keyOf(one)));
    if (!entry || !other) return [];
    return {
      id: row.id,
      kind: row.kind,
      distance: row.distance,
      created_at: row.createdAt,
      entry,
      other,
      decision: row.decision,
      decision_reason: row.decisionReason,
      decided_at: row.decidedAt,
    };
  });
}

type Item = { submissionId: string; item: number };

/** Returns the later and the earlier entry of a flag, each with its item. */
function itemsOf({ submissionId, item, otherSubmissionId, otherItem }: FlagRow): Item[] {
  return [
    { submissionId, item },
    { submissionId: otherSubmissionId, item: otherItem },
  ];
}

const keyOf = ({ submissionId, item }: Item) => `${submissionId} ${item}`;

function shownEntry(mediaUrls: Deps['mediaUrls'], entry: FlaggedEntry): Flag['entry'] {
  // Always watermarked: for the originals, the operator states a reason.
  const shown = copiesFor('poster', { settled: false, won: false });
  const { imageUrl, thumbnailUrl, expiresAt } = mediaUrls.of(entry.mediaFileId, shown);
  return {
    submission_id: entry.submissionId,
    item: entry.item,
    project_id: entry.projectId,
    project_title: entry.projectTitle,
    title: entry.title,
    submitted_at: entry.submittedAt,
    disqualified_at: entry.disqualifiedAt,
    image_url: imageUrl,
    thumbnail_url: thumbnailUrl,
    urls_expire_at: expiresAt,
    agent: { id: entry.agentId, name: entry.agentName, status: entry.agentStatus },
  };
}
