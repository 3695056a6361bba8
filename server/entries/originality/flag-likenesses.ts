import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { insertFlags, type NewFlag } from './flag-queries.ts';
import { findLikenesses, type Likeness, lockUncompared, markCompared, type Uncompared } from './likeness-queries.ts';

// At 10,000,000 pictures some 10 ms each.
const BATCH = 10;
/** Copies of a picture, re-encoded, resized or blurred, stay within 6 bits; other pictures differ in about 32. */
const NEAR_BITS = 7;
/** Of one picture: what everybody sends is flagged often enough. */
const FLAGS_EACH = 20;

/**
 * Compares what was confirmed with every other entry, and flags what looks like another agent's: for the operator's eyes,
 * nothing else follows. Apart from the confirmation, which waits for nothing. Of two that are confirmed at once each sees
 * the other, whoever compares them: both are committed by then.
 *
 * @returns how many were compared
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
        const flags = alike.map((likeness) => flagOf(picture, likeness));
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

/** The later one looks like the earlier one, whichever was compared. */
function flagOf(picture: Uncompared, other: Likeness): Omit<NewFlag, 'id' | 'at'> {
  const [later, earlier] = isLater(picture, other) ? [picture, other] : [other, picture];
  return {
    submissionId: later.submissionId,
    agentId: later.agentId,
    otherSubmissionId: earlier.submissionId,
    otherAgentId: earlier.agentId,
    kind: other.exact ? 'exact' : 'near',
    distance: other.distance,
  };
}

type Confirmed = { submissionId: string; submittedAt: Date };

function isLater(one: Confirmed, other: Confirmed): boolean {
  const after = one.submittedAt.getTime() - other.submittedAt.getTime();
  return after === 0 ? one.submissionId > other.submissionId : after > 0;
}
