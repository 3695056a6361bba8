import type { Problem } from './payout-queries.ts';
import type { Queryable } from '../db/database.ts';
import { CannotRun } from '../cannot-run.ts';

/** The transaction hash of the stray that represents the treasury's balance before the first scanned block. */
export const INITIAL_BALANCE_TX_HASH = `0x${'0'.repeat(64)}`;

export type ScannedTreasury = { network: string; treasury: string; asset: string };

/**
 * Returns the first block to scan: the block after the last completely matched one, or the first block of any payment.
 * Null without payments and scans.
 */
export async function scanStart(db: Queryable, { network, treasury, asset }: ScannedTreasury): Promise<number | null> {
  const [row] = await db<{ start: number | null }[]>`
    select coalesce(
      (select block_number + 1 from treasury_scans
        where network = ${network} and treasury = ${treasury} and asset = ${asset}),
      (select min(from_block) from payments
        where network = ${network} and asset = ${asset} and ${treasury} in (pay_to, payer))) as start`;
  return row?.start ?? null;
}

/** Returns the treasury of the ledger checks, if none of them checked this one. */
async function findOtherTreasury(db: Queryable, { network, treasury, asset }: ScannedTreasury): Promise<string | null> {
  const rows = await db<{ treasury: string }[]>`
    select treasury from treasury_scans where network = ${network} and asset = ${asset} order by block_number desc`;
  return rows.some((row) => row.treasury === treasury) ? null : (rows[0]?.treasury ?? null);
}

/** Returns whether the treasury was checked before. After the first check, every transfer is scanned. */
export async function wasChecked(db: Queryable, { network, treasury, asset }: ScannedTreasury): Promise<boolean> {
  const rows = await db`
    select 1 from treasury_scans where network = ${network} and treasury = ${treasury} and asset = ${asset}
    union all select 1 from stray_transfers where network = ${network} and tx_hash = ${INITIAL_BALANCE_TX_HASH}
    limit 1`;
  return rows.length > 0;
}

/** Moves the scanned block forward only, because two checks can run at once. */
export async function recordScan(
  db: Queryable,
  { network, treasury, asset }: ScannedTreasury,
  block: number,
): Promise<void> {
  if (block < 0) return;
  await db`
    insert into treasury_scans (network, treasury, asset, block_number) values (${network}, ${treasury}, ${asset}, ${block})
    on conflict (network, treasury, asset) do update
      set block_number = greatest(treasury_scans.block_number, excluded.block_number)`;
}

export type SettledTransfer = {
  id: string;
  payer: string;
  payTo: string;
  amountMicro: number;
  txHash: string;
  logIndex: number;
  blockNumber: number;
};

const settledColumns = (db: Queryable) => db`
  id, payer, pay_to as "payTo", amount_micro as "amountMicro", tx_hash as "txHash", log_index as "logIndex",
  block_number as "blockNumber"`;

/** Returns settled payments in both directions. Indexes payments_block, payments_block_out. */
export async function settledBetween(
  db: Queryable,
  { network, treasury, asset }: ScannedTreasury,
  from: number,
  to: number,
): Promise<SettledTransfer[]> {
  return await db<SettledTransfer[]>`
    select ${settledColumns(db)} from payments
    where state = 'settled' and network = ${network} and pay_to = ${treasury} and asset = ${asset}
      and kind in ('entry_fee', 'escrow') and block_number between ${from} and ${to}
    union all
    select ${settledColumns(db)} from payments
    where state = 'settled' and network = ${network} and payer = ${treasury} and asset = ${asset}
      and kind in ('payout', 'refund') and block_number between ${from} and ${to}`;
}

/**
 * Returns settled payments of these transactions that were booked in blocks outside the range, in both directions. Index
 * payments_transfer.
 */
export async function settledElsewhere(
  db: Queryable,
  { network, treasury, asset }: ScannedTreasury,
  { from, block, txHashes }: { from: number; block: number; txHashes: string[] },
): Promise<SettledTransfer[]> {
  if (txHashes.length === 0) return [];
  return await db<SettledTransfer[]>`
    select ${settledColumns(db)} from payments
    where network = ${network} and tx_hash = any(${txHashes}) and state = 'settled' and asset = ${asset}
      and ${treasury} = case when kind in ('payout', 'refund') then payer else pay_to end
      and block_number not between ${from} and ${block}`;
}

/** Returns incoming minus outgoing payments in blocks after this one. Indexes payments_block, payments_block_out. */
export async function settledAfter(
  db: Queryable,
  { network, treasury, asset }: ScannedTreasury,
  block: number,
): Promise<number> {
  const [row] = await db<{ micro: number }[]>`
    select (
      coalesce((select sum(amount_micro) from payments
        where state = 'settled' and network = ${network} and pay_to = ${treasury} and asset = ${asset}
          and kind in ('entry_fee', 'escrow') and block_number > ${block}), 0)
      - coalesce((select sum(amount_micro) from payments
        where state = 'settled' and network = ${network} and payer = ${treasury} and asset = ${asset}
          and kind in ('payout', 'refund') and block_number > ${block}), 0)
    )::bigint as micro`;
  return row?.micro ?? 0;
}

export type Undecided = {
  id: string;
  kind: string;
  subjectId: string;
  payer: string;
  payTo: string;
  amountMicro: number;
  fromBlock: number;
  state: 'settling' | 'failed';
  error: string | null;
  createdAt: Date;
};

/** Index payments_sweep. */
export async function undecidedPayments(db: Queryable, { network, treasury }: ScannedTreasury): Promise<Undecided[]> {
  return await db<Undecided[]>`
    select id, kind, subject_id as "subjectId", payer, pay_to as "payTo", amount_micro as "amountMicro",
      from_block as "fromBlock", state, error, created_at as "createdAt"
    from payments
    where (state = 'settling' or (state = 'failed' and watched)) and network = ${network}
      and ${treasury} in (pay_to, payer)
    order by created_at`;
}

/**
 * Finds settled payments without a journal of their amount and sign. Incoming money debits the treasury, outgoing money
 * credits it.
 */
export const settledWithoutJournal = (db: Queryable) => db<Problem[]>`
    select 'payment ' || p.id || ' is settled, but no journal has its amount and direction' as problem from payments p
    left join ledger_journals j on j.payment_id = p.id
    left join ledger_entries e on e.journal_id = j.id
      and (e.account_id = 'treasury' or (e.account_id = 'stray' and e.amount_micro > 0)
        or (e.account_id = 'unexplained' and e.amount_micro < 0))
    where p.state = 'settled'
    group by p.id
    having sum(e.amount_micro) is distinct from
      case when p.kind in ('payout', 'refund') then -p.amount_micro else p.amount_micro end
    limit 20`;

/** A payment whose transfer vanished has an even number of journals: each second one takes the one before back. */
export const journalsOfUnsettled = (db: Queryable) => db<Problem[]>`
    select 'journal ' || min(j.id::text) || ' books payment ' || p.id || ', which is not settled' as problem
    from payments p join ledger_journals j on j.payment_id = p.id
    where p.state <> 'settled' group by p.id having count(*) % 2 = 1 limit 20`;

/** A unique index prevents this. The check notices if that index was dropped. */
export const subjectsPaidTwice = (db: Queryable) => db<Problem[]>`
    select kind || ' of ' || subject_id || ' is settled more than once' as problem from payments
    where state = 'settled' and not late
    group by kind, subject_id having count(*) > 1
    limit 20`;

/**
 * Ends a start whose treasury is not the one of this database: its ledger was compared with the balance of another address.
 * Payments would go to a wallet that the ledger does not count, and no operation moves the books to another treasury.
 *
 * @throws CannotRun
 */
export async function requireTreasury(db: Queryable, own: ScannedTreasury): Promise<void> {
  const other = await findOtherTreasury(db, own);
  if (other === null) return;
  throw new CannotRun(
    `TREASURY_KEY or TREASURY_ADDRESS: the treasury of this database is ${other}, not ${own.treasury}. Give the key or address of ${other}`,
  );
}
