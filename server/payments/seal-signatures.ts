import { withTransaction } from '../db/public.ts';
import type { PaymentDeps } from './deps.ts';
import { sealedSignature } from './kept-payment.ts';
import { listPlaces, lockOpenSignatures, lockSealing, moveSealing, moveSignatures } from './seal-queries.ts';
import type { Tx } from '../ports/database.ts';

// Locked together; some 50 ms.
const BATCH = 500;
// So that a run on a large table leaves room to others, and to the vacuum: 1,000,000 payments take 40 minutes.
const BATCHES_A_RUN = 50;
// What is younger may be in a transaction that has not committed yet, and would be passed over.
const SETTLED_DOWN_MS = 10 * 60_000;

type SealDeps = Pick<PaymentDeps, 'db' | 'clock' | 'paymentSeals'>;

/**
 * Seals signatures that lie in their payloads, as versions before this one left them: a copy of the database is to settle
 * nothing. It goes along all payments once, and afterwards along the new ones, among which there is one only where an old
 * process still takes payments. One process has the turn, batch by batch.
 *
 * @returns how many were sealed
 */
export async function sealSignatures(deps: SealDeps, stopping?: AbortSignal): Promise<number> {
  const until = new Date(deps.clock.now().getTime() - SETTLED_DOWN_MS);
  let total = 0;
  for (let batch = 0; batch < BATCHES_A_RUN; batch += 1) {
    if (stopping?.aborted) break;
    const { looked, sealed } = await withTransaction(deps.db, (tx) => sealBatch(deps, tx, until));
    total += sealed;
    if (looked < BATCH) break;
  }
  return total;
}

async function sealBatch({ paymentSeals }: SealDeps, tx: Tx, until: Date): Promise<{ looked: number; sealed: number }> {
  const after = await lockSealing(tx);
  if (after === undefined) return { looked: 0, sealed: 0 };
  const places = await listPlaces(tx, after, { until, limit: BATCH });
  const last = places.at(-1);
  if (!last) return { looked: 0, sealed: 0 };
  const open = await lockOpenSignatures(
    tx,
    places.map(({ id }) => id),
  );
  if (open.length > 0)
    await moveSignatures(
      tx,
      open.map(({ id, signature }) => ({ id, signature: sealedSignature(paymentSeals, id, signature) })),
    );
  await moveSealing(tx, last);
  return { looked: places.length, sealed: open.length };
}
