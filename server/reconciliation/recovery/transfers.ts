import type { Deps } from '../../deps.ts';
import {
  type AuthorizedTransfer,
  paymentOfTransfer,
  adoptedBetween,
  listStrayRows,
  type StrayTransfer,
  straysBetween,
} from '../../payments/public.ts';
import { recoveryNeededSince } from '../../ledger/public.ts';
import type { Queryable } from '../../db/database.ts';
import type { Chain, ChainTransfer } from '../../chain/types.ts';
import { INITIAL_BALANCE_TX_HASH, scanStart, settledBetween } from '../queries.ts';

export type ReadDeps = Pick<Deps, 'db' | 'chain' | 'network' | 'payTo'>;

/** A transfer that the database does not know as a payment. `strayId`: a check has recorded it as a stray before. */
export type Lost = AuthorizedTransfer & { strayId: string | null };

/** A recovery looks at this many strays that earlier checks recorded, the newest. */
export const MOST_STRAYS = 1000;

const placeOf = ({ txHash, logIndex }: { txHash: string; logIndex: number }) => `${txHash}:${logIndex}`;

/** Returns the first block that the database may not know completely. Null: it has no payments and no scan. */
export async function firstUnknownBlock({ db, network, payTo }: ReadDeps): Promise<number | null> {
  return await scanStart(db, { network: network.id, treasury: payTo, asset: network.usdc.address });
}

/**
 * Returns the transfers of the treasury in these blocks that no settled payment, return, or adoption explains, in the
 * order of the chain. Adds the strays of earlier blocks that an authorization sent: after a restore, a check takes lost
 * payments for strays. A plain transfer is no lost payment. If a check recorded it before the recovery was needed, the
 * database has not lost it, and the operator decides about it as about every stray: returning all dust would cost gas.
 *
 * @returns `cut`: more strays are recorded than a recovery looks at
 * @throws ChainUnavailable
 */
export async function lostTransfers(
  deps: ReadDeps,
  { from, until }: { from: number; until: number },
): Promise<{ lost: Lost[]; cut: boolean }> {
  const { db, chain, payTo } = deps;
  // Read the chain first: each payment that it shows then has at least its claim in the database.
  const transfers = from > until ? [] : await chain.transfersOf(payTo, from, until);
  const { settled, strays } = await knownTransfers(deps, from, until);
  const unclaimed = strays.filter(({ paymentId, returnedAt }) => paymentId === null && returnedAt === null);
  const explained = new Set([...settled, ...strays.filter((stray) => !unclaimed.includes(stray))].map(placeOf));
  const recorded = new Map(unclaimed.map((stray) => [placeOf(stray), stray]));
  const fresh = transfers
    .filter(
      (transfer) => transfer.amountMicro > 0 && transfer.from !== transfer.to && !explained.has(placeOf(transfer)),
    )
    .map((transfer) => ({ ...transfer, stray: recorded.get(placeOf(transfer)) ?? null }));
  const [older, since] = await Promise.all([earlierStrays(db, deps, { from, until }), recoveryNeededSince(db)]);
  const earlier = older.strays.map((stray) => strayAsTransfer(stray, payTo));
  const lost = (await withAuthorizations(chain, [...earlier, ...fresh]))
    .filter(({ nonce, stray }) => nonce !== null || stray === null || (since !== null && stray.recordedAt >= since))
    .map(({ stray, ...transfer }) => ({ ...transfer, strayId: stray?.id ?? null }))
    .toSorted(inOrder);
  return { lost, cut: older.cut };
}

async function knownTransfers({ db, network, payTo }: ReadDeps, from: number, until: number) {
  const treasury = { network: network.id, treasury: payTo, asset: network.usdc.address };
  const [payments, adopted, strays] = await Promise.all([
    settledBetween(db, treasury, from, until),
    adoptedBetween(db, network.id, from, until),
    straysBetween(db, network.id, from, until),
  ]);
  return { settled: [...payments, ...adopted], strays };
}

async function earlierStrays(
  db: Queryable,
  { network }: Pick<ReadDeps, 'network'>,
  { from, until }: { from: number; until: number },
): Promise<{ strays: StrayTransfer[]; cut: boolean }> {
  const { rows, end } = await listStrayRows(db, network.id, { state: ['unclaimed'], limit: MOST_STRAYS });
  const strays = rows.filter(
    ({ blockNumber, txHash }) => blockNumber < from && blockNumber <= until && txHash !== INITIAL_BALANCE_TX_HASH,
  );
  return { strays, cut: end.has_more };
}

function strayAsTransfer(stray: StrayTransfer, payTo: string): ChainTransfer & { stray: StrayTransfer } {
  const { txHash, logIndex, blockNumber, from, amountMicro } = stray;
  return { txHash, logIndex, blockNumber, from, to: payTo, amountMicro, stray };
}

/** Adds the authorizations and their senders. Reads one receipt for each transaction. */
async function withAuthorizations<T extends ChainTransfer>(
  chain: Chain,
  transfers: T[],
): Promise<(T & { nonce: string | null; sender: string | null })[]> {
  const used = new Map<string, { nonce: string; sender: string | null }>();
  for (const txHash of new Set(transfers.map((transfer) => transfer.txHash)))
    for (const { logIndex, ...by } of await chain.authorizationsIn(txHash)) used.set(placeOf({ txHash, logIndex }), by);
  return transfers.map((transfer) => {
    const { nonce = null, sender = null } = used.get(placeOf(transfer)) ?? {};
    return { ...transfer, nonce, sender };
  });
}

function inOrder(a: ChainTransfer, b: ChainTransfer): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

/** The comparison at a start reads the receipts of this many unknown transfers in, the largest. Anybody can send more. */
const MOST_RECEIPTS = 200;

/**
 * Counts the transfers that only a newer database can have made: out of the treasury, because only its key can send them,
 * and in by the service's own facilitator, which sends nothing before its claim is committed. A remote facilitator serves
 * others too, so nothing follows from its transfers.
 *
 * @throws ChainUnavailable
 */
export async function unknownTransfers(
  deps: ReadDeps & Pick<Deps, 'facilitator'>,
  from: number,
): Promise<{ out: number; in: number }> {
  const { chain, payTo, facilitator } = deps;
  const block = await chain.blockNumber();
  const transfers = from > block ? [] : await chain.transfersOf(payTo, from, block);
  const moved = transfers.filter((transfer) => transfer.from !== transfer.to && transfer.amountMicro > 0);
  if (moved.length === 0) return { out: 0, in: 0 };
  const { settled, strays } = await knownTransfers(deps, from, block);
  const known = new Set([...settled, ...strays].map(placeOf));
  const unknown = moved.filter((transfer) => !known.has(placeOf(transfer)));
  const out = await withAuthorizations(
    chain,
    unknown.filter((transfer) => transfer.from === payTo),
  );
  const senders = new Set(facilitator.senders);
  const candidates = unknown.filter(({ to }) => to === payTo && senders.size > 0);
  const largest = candidates.toSorted((a, b) => b.amountMicro - a.amountMicro).slice(0, MOST_RECEIPTS);
  const paidIn = await withAuthorizations(chain, largest);
  const own = paidIn.filter(({ sender }) => sender !== null && senders.has(sender));
  return { out: await countUnknown(deps, out), in: await countUnknown(deps, own) };
}

/** Leaves out those of payments that are claimed and not booked yet. */
async function countUnknown(deps: ReadDeps, transfers: AuthorizedTransfer[]): Promise<number> {
  let unknown = 0;
  for (const transfer of transfers) {
    const payment = await paymentOfTransfer(deps.db, deps, transfer);
    if (payment?.payTo !== transfer.to || payment.amountMicro !== transfer.amountMicro) unknown += 1;
  }
  return unknown;
}
