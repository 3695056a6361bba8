import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { Deps } from '../../deps.ts';
import { notesOf } from '../notes/note-queries.ts';
import { payoutStatus, payoutsOfSubmissions } from '../../payouts/public.ts';
import { snakeCased } from '../../snake-case.ts';
import { agentsWithWallet, resemblancesOf, unscorableOf, type GalleryRow } from './gallery-queries.ts';

type PublicEntry = Output<typeof galleryOperations.listPublicEntries>['submissions'][number];
type OwnEntry = Output<typeof galleryOperations.listEntries>['submissions'][number];
type GalleryEntry = Omit<OwnEntry, 'mark' | 'feedback_draft'>;

/** Returns the public part of entries. The caller checks that the reader may see them. */
export async function shownEntries(
  { reads, mediaUrls }: Pick<Deps, 'reads' | 'mediaUrls'>,
  rows: GalleryRow[],
): Promise<PublicEntry[]> {
  const earned = rows.filter((row) => row.earningsMicro > 0).map((row) => row.id);
  const payouts = earned.length > 0 ? await payoutsOfSubmissions(reads, earned) : [];
  const payoutOf = new Map(payouts.map((payout) => [payout.submissionId, payout]));
  return rows.flatMap((row) => {
    const pictures = picturesOf(mediaUrls, row);
    if (!pictures) return [];
    const payout = payoutOf.get(row.id);
    return {
      ...snakeCased(row),
      status: 'submitted',
      ...pictures,
      agent: { id: row.agentId, name: row.agentName },
      payout_status: payout ? payoutStatus(payout) : null,
      payout_tx_hash: payout?.txHash ?? null,
    };
  });
}

/**
 * Returns the pictures of an entry, as its poster and the public see them: every item, and the first one for clients that
 * show one picture of each entry. The winner's have no mark once the award is settled.
 */
export function picturesOf(mediaUrls: Deps['mediaUrls'], row: GalleryRow) {
  const shown = row.settled && row.outcome === 'won' ? 'plain' : 'marked';
  const pictures = row.items.map(({ item, mediaFileId, width, height, ...original }) => {
    const { imageUrl, thumbnailUrl, expiresAt } = mediaUrls.of(mediaFileId, shown);
    const urls = { image_url: imageUrl, thumbnail_url: thumbnailUrl, urls_expire_at: expiresAt };
    return { item, ...urls, width, height, content_type: original.contentType, size_bytes: original.sizeBytes };
  });
  const [first] = pictures;
  if (!first) return null;
  const { item: _, ...leading } = first;
  return { ...leading, items: pictures };
}

/** Returns entries as their poster sees them, with the notes that nobody else sees. */
export async function ownEntries(deps: Pick<Deps, 'reads' | 'mediaUrls'>, rows: GalleryRow[]): Promise<OwnEntry[]> {
  const [entries, notes] = await Promise.all([
    judgedEntries(deps, rows),
    notesOf(
      deps.reads,
      rows.map(({ id }) => id),
    ),
  ]);
  return entries.map((entry) => {
    const { mark = null, feedbackDraft = null } = notes.get(entry.id) ?? {};
    return { ...entry, mark, feedback_draft: feedbackDraft };
  });
}

/** Returns entries as a judge sees them: the public part, the fee, the feedback, and what happened in judging. */
export async function judgedEntries(
  deps: Pick<Deps, 'reads' | 'mediaUrls'>,
  rows: GalleryRow[],
): Promise<GalleryEntry[]> {
  const ids = rows.map(({ id }) => id);
  const unscored = rows.filter(({ score }) => score === null).map(({ id }) => id);
  const agentIds = rows.map(({ agentId }) => agentId);
  const [shown, withWallet, unscorable, resemblances] = await Promise.all([
    shownEntries(deps, rows),
    agentsWithWallet(deps.reads, agentIds),
    unscorableOf(deps.reads, unscored),
    resemblancesOf(deps.reads, ids),
  ]);
  const own = (row: GalleryRow) => ({
    feedback: row.feedback,
    entry_fee_paid: row.feePaidMicro,
    agent_has_wallet: withWallet.has(row.agentId),
    disqualified_at: row.disqualifiedAt,
    disqualify_reason: row.disqualifyReason,
    judging_note: unscorable.has(row.id) ? ('unscorable' as const) : null,
    judging_reason: unscorable.get(row.id) ?? null,
    resembles: resemblances.get(row.id) ?? null,
  });
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return shown.flatMap((entry) => {
    const row = rowOf.get(entry.id);
    return row ? { ...entry, ...own(row) } : [];
  });
}
