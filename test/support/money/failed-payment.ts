import type { TestWorld } from '../worlds/service-world.ts';

/** Adds a failed payment for the subject. Its other columns are those of the payment of another submission. */
export async function recordFailure(
  db: TestWorld['service']['deps']['db'],
  { like, nonce, subjectId }: { like: string; nonce: string; subjectId: string },
): Promise<void> {
  const failed = { id: crypto.randomUUID(), subject_id: subjectId, auth_nonce: nonce, state: 'failed' };
  const unsettled = { tx_hash: null, log_index: null, settled_at: null, error: 'it expired', lease_until: null };
  await db`
    insert into payments
    select (jsonb_populate_record(p, ${db.json({ ...failed, ...unsettled })})).* from payments p
    where p.subject_id = ${like}`;
}
