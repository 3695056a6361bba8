import type { strayOperations } from '../../contract/operator/strays.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Deps } from '../deps.ts';
import { listStrayRows, type StrayTransfer } from '../payments/strays/public.ts';
import { decodeCursor, pageOf, timesOfDays } from '../paging.ts';
import { formatPayout } from './list-payouts.ts';
import { findByReferences, type PayoutRow } from './queries.ts';
import { strayReference } from './references.ts';
import type { Queryable } from '../ports/database.ts';

type Operation = typeof strayOperations.listStrays;

const NOBODY = `0x${'0'.repeat(40)}`;
const NO_TRANSACTION = `0x${'0'.repeat(64)}`;

type Page = Omit<Output<Operation>, 'strays'> & { strays: ShownStray[] };
type ShownStray = Omit<Output<Operation>['strays'][number], 'parties'>;

/** Lists transfers to the treasury that belong to no payment, newest first. */
export async function strayPage(
  { db, network }: { db: Queryable } & Pick<Deps, 'network'>,
  query: Input<Operation>['query'],
): Promise<Page> {
  const { state, min_usdc: minMicro, max_usdc: maxMicro, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listStrayRows(
    db,
    { network: network.id, state, minMicro, maxMicro, ...timesOfDays(query) },
    { after, limit: limit + 1 },
  );
  const page = pageOf(rows, limit, ({ recordedAt, id }) => ({ at: recordedAt, id }));
  const returned = page.rows.filter(({ returnedAt }) => returnedAt !== null);
  const payouts = await findByReferences(
    db,
    returned.map(({ id }) => strayReference(id)),
  );
  const byReference = new Map(payouts.map((payout) => [payout.reference, payout]));
  return {
    strays: page.rows.map((row) => formatStray(row, byReference.get(strayReference(row.id)) ?? null)),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}

/** Returns the address to which a stray can go back, or null: it was minted, or nobody knows who sent it. */
export function senderOf({ from }: Pick<StrayTransfer, 'from'>): string | null {
  return from === NOBODY ? null : from;
}

/** Builds the operator's response for one stray. */
export function formatStray(row: StrayTransfer, payout: PayoutRow | null): ShownStray {
  const { id, amountMicro, txHash, blockNumber, recordedAt, paymentId, returnedAt } = row;
  return {
    id,
    sender: senderOf(row),
    amount_micro: amountMicro,
    tx_hash: txHash === NO_TRANSACTION ? null : txHash,
    block: blockNumber,
    recorded_at: recordedAt,
    state: returnedAt === null ? (paymentId === null ? 'unclaimed' : 'claimed') : 'returned',
    payment_id: paymentId,
    payout: payout && formatPayout(payout),
  };
}
