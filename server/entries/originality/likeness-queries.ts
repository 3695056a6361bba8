import type { PendingQuery, Row } from 'postgres';
import type { Tx } from '../../ports/database.ts';

/** A confirmed picture that was not yet compared with the others. */
export type Uncompared = {
  mediaFileId: string;
  submissionId: string;
  item: number;
  agentId: string;
  submittedAt: Date;
  sha256: Buffer;
  /** Text, because the value can exceed 2^53. */
  perceptualHash: string;
};

/** Locks pictures that no other process compares, oldest first. Index media_files_uncompared. */
export async function lockUncompared(tx: Tx, limit: number): Promise<Uncompared[]> {
  return await tx<Uncompared[]>`
    select m.id as "mediaFileId", s.id as "submissionId", m.item, s.agent_id as "agentId", s.submitted_at as "submittedAt", m.sha256,
      m.perceptual_hash::text as "perceptualHash"
    from media_files m join submissions s on s.id = m.submission_id
    where not m.compared order by m.completed_at limit ${limit} for no key update of m skip locked`;
}

export async function markCompared(tx: Tx, mediaFileIds: string[]): Promise<void> {
  await tx`update media_files set compared = true where id = any(${mediaFileIds})`;
}

/** An entry of another agent with the same or a similar picture, and the item that is most alike. */
export type Likeness = {
  submissionId: string;
  item: number;
  agentId: string;
  submittedAt: Date;
  exact: boolean;
  distance: number;
};

// Most pictures resemble no other. These limits bound the cost of a picture that many agents send, such as a plain
// area.
const LOOKED_AT = 20_000;
const ALIKE = 1_000;

/**
 * Returns the most similar entries of other agents, each once, nearest first: those with the same bytes, or with a hash at most
 * `distance` bits apart. Hashes that differ in at most 7 bits differ in at most 1 bit of some 16-bit quarter, so
 * `distance` must not exceed 7. The statement looks up 17 keys in each index-only scan of media_files_quarter_1 to _4,
 * which finds 10,000 hashes among 10,000,000. It finds equal bytes in media_files_sha256.
 */
export async function findLikenesses(
  tx: Tx,
  { agentId, sha256, perceptualHash: hash }: Uncompared,
  { distance, limit }: { distance: number; limit: number },
): Promise<Likeness[]> {
  const bits = tx`bit_count((perceptual_hash # ${hash}::bigint)::bit(64))`;
  const quarter = (shift: number) => tx`
    (select submission_id, perceptual_hash from media_files
      where status = 'completed' and ${quarters[shift]?.(tx) ?? tx`false`} = any(${keysOf(hash, shift)}::bigint[])
      limit ${LOOKED_AT})`;
  return await tx<Likeness[]>`
    with looked_at as (
      ${quarter(0)} union all ${quarter(16)} union all ${quarter(32)} union all ${quarter(48)}
    ), alike as (
      (select submission_id from looked_at where ${bits} <= ${distance} limit ${ALIKE})
      union
      (select submission_id from media_files where status = 'completed' and sha256 = ${sha256} limit ${ALIKE})
    )
    select * from (
      select distinct on (s.id) s.id as "submissionId", m.item, s.agent_id as "agentId", s.submitted_at as "submittedAt",
        m.sha256 = ${sha256} as exact, ${bits}::integer as distance
      from alike join submissions s on s.id = alike.submission_id
        join media_files m on m.submission_id = s.id and m.status = 'completed'
      where s.agent_id <> ${agentId} and (m.sha256 = ${sha256} or (${bits} <= ${distance} and ${hash}::bigint <> 0))
      order by s.id, exact desc, distance, m.item
    ) nearest
    order by exact desc, distance, "submittedAt", "submissionId" limit ${limit}`;
}

// The expressions must match those of the indexes.
const quarters: Record<number, (tx: Tx) => PendingQuery<Row[]>> = {
  0: (tx) => tx`(perceptual_hash & 65535)`,
  16: (tx) => tx`((perceptual_hash >> 16) & 65535)`,
  32: (tx) => tx`((perceptual_hash >> 32) & 65535)`,
  48: (tx) => tx`((perceptual_hash >> 48) & 65535)`,
};

/**
 * Returns a quarter of the hash, unchanged and with each of its 16 bits flipped. A plain area has no keys, because its
 * hash is 0 and says nothing.
 */
function keysOf(hash: string, shift: number): number[] {
  if (BigInt(hash) === 0n) return [];
  const key = Number((BigInt.asUintN(64, BigInt(hash)) >> BigInt(shift)) & 65_535n);
  return [key, ...Array.from({ length: 16 }, (_, bit) => key ^ (1 << bit))];
}
