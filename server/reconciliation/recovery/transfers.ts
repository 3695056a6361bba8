import type { Deps } from '../../deps.ts';
import {
  adoptedBetween,
  type AuthorizedTransfer,
  listStrayRows,
  paymentOfTransfer,
  type StrayTransfer,
  straysBetween,
} from '../../payments/public.ts';
import type { Queryable } from '../../ports/database.ts';
import type { Chain, ChainTransfer } from '../../ports/chain.ts';
import { INITIAL_BALANCE_TX_HASH, scanStart, settledBetween } from '../public.ts';

export type ReadDeps = Pick<Deps, 'db' | 'chain' | 'network' | 'payTo'>;

/** A transfer that the database does not know as a payment. `strayId`: a check has recorded it as a stray before. */
export type Lost = AuthorizedTransfer & { strayId: string | null };

/** A recovery looks at this many strays that earlier checks recorded, the newest. */
const MOST_STRAYS = 1000;

const placeOf = ({ txHash, logIndex }: { txHash: string; logIndex: number }) => `${txHash}:${logIndex}`;

/** Returns the first block that the database may not know completely. Null: it has no payments and no scan. */
export async function firstUnknownBlock({ db, network, payTo }: ReadDeps): Promise<number | null> {
  return await scanStart(db, { network: network.id, treasury: payTo, asset: network.usdc.address });
}

/**
 * Returns the transfers of the treasury in these blocks that no settled payment, return, or adoption explains, in the
 * order of the chain. Adds the strays of earlier blocks that an authorization sent: after a restore, a check takes lost
 * payments for strays.
 *
 * @throws ChainUnavailable
 */
export async function lostTransfers(deps: ReadDeps, { from, until }: { from: number; until: number }): Promise<Lost[]> {
  const { db, chain, payTo } = deps;
  // Read the chain first: each payment that it shows then has at least its claim in the database.
  const transfers = from > until ? [] : await chain.transfersOf(payTo, from, until);
  const { settled, strays } = await knownTransfers(deps, from, until);
  const unclaimed = strays.filter(({ paymentId, returnedAt }) => paymentId === null && returnedAt === null);
  const explained = new Set([...settled, ...strays.filter((stray) => !unclaimed.includes(stray))].map(placeOf));
  const strayIds = new Map(unclaimed.map((stray) => [placeOf(stray), stray.id]));
  const fresh = transfers
    .filter(
      (transfer) => transfer.amountMicro > 0 && transfer.from !== transfer.to && !explained.has(placeOf(transfer)),
    )
    .map((transfer) => ({ ...transfer, strayId: strayIds.get(placeOf(transfer)) ?? null }));
  const earlier = (await earlierStrays(db, deps, { from, until })).map((stray) => strayAsTransfer(stray, payTo));
  const authorized = await withNonces(chain, [...earlier, ...fresh]);
  return authorized.filter(({ nonce, strayId }) => nonce !== null || strayId === null).toSorted(inOrder);
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
): Promise<StrayTransfer[]> {
  const rows = await listStrayRows(
    db,
    { network: network.id, state: 'unclaimed' },
    { after: null, limit: MOST_STRAYS },
  );
  return rows.filter(
    ({ blockNumber, txHash }) => blockNumber < from && blockNumber <= until && txHash !== INITIAL_BALANCE_TX_HASH,
  );
}

function strayAsTransfer(stray: StrayTransfer, payTo: string): ChainTransfer & { strayId: string } {
  const { id, txHash, logIndex, blockNumber, from, amountMicro } = stray;
  return { txHash, logIndex, blockNumber, from, to: payTo, amountMicro, strayId: id };
}

/** Adds the nonces of the authorizations. Reads one receipt for each transaction. */
async function withNonces<T extends ChainTransfer>(
  chain: Chain,
  transfers: T[],
): Promise<(T & { nonce: string | null })[]> {
  const nonces = new Map<string, string>();
  for (const txHash of new Set(transfers.map((transfer) => transfer.txHash)))
    for (const { logIndex, nonce } of await chain.authorizationsIn(txHash))
      nonces.set(placeOf({ txHash, logIndex }), nonce);
  return transfers.map((transfer) => ({ ...transfer, nonce: nonces.get(placeOf(transfer)) ?? null }));
}

function inOrder(a: ChainTransfer, b: ChainTransfer): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

/**
 * Returns the transfers out of the treasury that the database does not know at all. Only the treasury's key can have sent
 * them, so the database is older than the chain.
 *
 * @throws ChainUnavailable
 */
export async function unknownOutgoing(deps: ReadDeps, from: number): Promise<Lost[]> {
  const { chain, payTo } = deps;
  const block = await chain.blockNumber();
  const transfers = from > block ? [] : await chain.transfersOf(payTo, from, block);
  const out = transfers.filter(
    (transfer) => transfer.from === payTo && transfer.to !== payTo && transfer.amountMicro > 0,
  );
  if (out.length === 0) return [];
  const explained = new Set((await knownTransfers(deps, from, block)).settled.map(placeOf));
  const unexplained = await withNonces(
    chain,
    out.filter((transfer) => !explained.has(placeOf(transfer))),
  );
  const unknown: Lost[] = [];
  for (const transfer of unexplained) {
    const payment = await paymentOfTransfer(deps.db, deps, transfer);
    if (payment?.payTo !== transfer.to || payment.amountMicro !== transfer.amountMicro)
      unknown.push({ ...transfer, strayId: null });
  }
  return unknown;
}
