import type { Queryable } from '../context.ts';

export type Treasury = { network: string; treasury: string; asset: string };

/** The block after the last one in which everything was matched, or the first that any payment can lie in. */
export async function scanStart(
  db: Queryable,
  { network, treasury, asset }: Treasury,
  latest: number,
): Promise<number> {
  const [row] = await db<{ start: number }[]>`
    select coalesce(
      (select block_number + 1 from treasury_scans
        where network = ${network} and treasury = ${treasury} and asset = ${asset}),
      (select min(from_block) from payments where network = ${network} and pay_to = ${treasury} and asset = ${asset}),
      ${latest}::bigint) as start`;
  // A development chain that was started anew is shorter than the last scan.
  return Math.min(row?.start ?? latest, latest);
}

/** Forward only: two checks may run at once. */
export async function recordScan(db: Queryable, { network, treasury, asset }: Treasury, block: number): Promise<void> {
  if (block < 0) return;
  await db`
    insert into treasury_scans (network, treasury, asset, block_number) values (${network}, ${treasury}, ${asset}, ${block})
    on conflict (network, treasury, asset) do update
      set block_number = greatest(treasury_scans.block_number, excluded.block_number)`;
}

type SettledTransfer = {
  id: string;
  payer: string;
  amountMicro: number;
  txHash: string;
  logIndex: number;
  blockNumber: number;
};

/** Index: payments_block. */
export async function settledBetween(
  db: Queryable,
  { network, treasury, asset }: Treasury,
  from: number,
  to: number,
): Promise<SettledTransfer[]> {
  return await db<SettledTransfer[]>`
    select id, payer, amount_micro as "amountMicro", tx_hash as "txHash", log_index as "logIndex", block_number as "blockNumber"
    from payments
    where state = 'settled' and network = ${network} and pay_to = ${treasury} and asset = ${asset}
      and block_number between ${from} and ${to}`;
}

/** Index: payments_block. */
export async function settledAfter(
  db: Queryable,
  { network, treasury, asset }: Treasury,
  block: number,
): Promise<number> {
  const [row] = await db<{ micro: number }[]>`
    select coalesce(sum(amount_micro), 0)::bigint as micro from payments
    where state = 'settled' and network = ${network} and pay_to = ${treasury} and asset = ${asset}
      and block_number > ${block}`;
  return row?.micro ?? 0;
}

type Undecided = {
  id: string;
  kind: string;
  subjectId: string;
  payer: string;
  amountMicro: number;
  state: 'settling' | 'failed';
  error: string | null;
  createdAt: Date;
};

export async function undecidedPayments(db: Queryable, { network, treasury }: Treasury): Promise<Undecided[]> {
  return await db<Undecided[]>`
    select id, kind, subject_id as "subjectId", payer, amount_micro as "amountMicro", state, error, created_at as "createdAt"
    from payments
    where (state = 'settling' or (state = 'failed' and watched)) and network = ${network} and pay_to = ${treasury}
    order by created_at`;
}

export async function settledWithoutJournal(db: Queryable): Promise<{ id: string }[]> {
  return await db<{ id: string }[]>`
    select p.id from payments p
    where p.state = 'settled' and not exists (
      select 1 from ledger_journals j join ledger_entries e on e.journal_id = j.id
      where j.payment_id = p.id and e.account_id = 'treasury' and e.amount_micro = p.amount_micro)
    limit 20`;
}

/** A unique index forbids it; the check would notice an index that was dropped. */
export async function subjectsPaidTwice(db: Queryable): Promise<{ kind: string; subjectId: string }[]> {
  return await db<{ kind: string; subjectId: string }[]>`
    select kind, subject_id as "subjectId" from payments
    where state = 'settled' and not late
    group by kind, subject_id having count(*) > 1
    limit 20`;
}

export type LedgerCheckRow = {
  checkedAt: Date;
  balanced: boolean;
  chainMatches: boolean;
  problems: string[];
  block: number;
};

/** Index ledger_checks_at. */
export async function newestCheck(db: Queryable): Promise<LedgerCheckRow | null> {
  const [row] = await db<LedgerCheckRow[]>`
    select checked_at as "checkedAt", balanced, chain_matches as "chainMatches", problems, block
    from ledger_checks order by checked_at desc, id desc limit 1`;
  return row ?? null;
}
