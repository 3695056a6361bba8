import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { insertFlags, type NewFlag } from './flag-queries.ts';
import { findLikenesses, type Likeness, lockUncompared, markCompared, type Uncompared } from './likeness-queries.ts';

// Among 10,000,000 pictures, each takes about 10 ms.
const BATCH = 10;
/** Re-encoded, resized, or blurred copies differ in at most 6 bits. Other pictures differ in about 32. */
const NEAR_BITS = 7;
/** The most flags of one picture, so that a picture that many agents send does not flood the operator's list. */
const FLAGS_EACH = 20;

/**
 * Compares new entries with all others and flags those that look like another agent's entry. A flag only informs the
 * operator. The comparison runs after the confirmation has committed, so no agent waits for it. Two entries that are
 * confirmed at once are both committed by then, so each comparison sees the other entry.
 *
 * @returns the number of compared entries
 */
export async function flagLikenesses(
  { db, clock, newId }: Pick<Deps, 'db' | 'clock' | 'newId'>,
  stopping?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    if (stopping?.aborted) return total;
    const count = await withTransaction(db, async (tx) => {
      const pictures = await lockUncompared(tx, BATCH);
      if (pictures.length === 0) return 0;
      const at = clock.now();
      for (const picture of pictures) {
        const alike = await findLikenesses(tx, picture, { distance: NEAR_BITS, limit: FLAGS_EACH });
        // One order of the pairs, so that two processes do not wait for each other.
        const flags = alike.map((likeness) => flagOf(picture, likeness)).toSorted(inOrder);
        await insertFlags(
          tx,
          flags.map((flag) => ({ ...flag, id: newId(), at })),
        );
      }
      const ids = pictures.map(({ mediaFileId }) => mediaFileId);
      await markCompared(tx, ids);
      return pictures.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}

/** Builds the flag of the later entry, whichever of the two was compared. */
function flagOf(picture: Uncompared, other: Likeness): Omit<NewFlag, 'id' | 'at'> {
  const [later, earlier] = isLater(picture, other) ? [picture, other] : [other, picture];
  return {
    submissionId: later.submissionId,
    item: later.item,
    agentId: later.agentId,
    otherSubmissionId: earlier.submissionId,
    otherItem: earlier.item,
    otherAgentId: earlier.agentId,
    kind: other.exact ? 'exact' : 'near',
    distance: other.distance,
  };
}

type Pair = Pick<NewFlag, 'submissionId' | 'otherSubmissionId'>;

function inOrder(one: Pair, other: Pair): number {
  return `${one.submissionId} ${one.otherSubmissionId}` < `${other.submissionId} ${other.otherSubmissionId}` ? -1 : 1;
}

type Confirmed = { submissionId: string; submittedAt: Date };

function isLater(one: Confirmed, other: Confirmed): boolean {
  const after = one.submittedAt.getTime() - other.submittedAt.getTime();
  return after === 0 ? one.submissionId > other.submissionId : after > 0;
}
