import type { PendingQuery, Queryable } from '../../ports/database.ts';

export type FoundRow = {
  kind: 'project' | 'agent' | 'poster' | 'submission' | 'payment' | 'payout' | 'stray';
  id: string;
  name: string;
  projectId: string | null;
  moneyKind: string | null;
  state: string | null;
  amountMicro: number | null;
  txHash: string | null;
  createdAt: Date;
};

type Fragment = PendingQuery;
type Table = 'projects' | 'agents' | 'posters' | 'submissions' | 'payments' | 'payouts' | 'strays';

const MOST = 10;

/** The values of findings that are no money. */
const noMoney = (db: Queryable) => db`
  null::text as "moneyKind", null::text as state, null::bigint as "amountMicro", null::text as "txHash"`;

/** The rows of one table that fulfill a condition, as findings. Each condition must fit an index. */
const findings: Record<Table, (db: Queryable, where: Fragment) => Fragment> = {
  projects: (db, where) => db`
    select 'project' as kind, id, title as name, id as "projectId", ${noMoney(db)}, created_at as "createdAt"
    from projects where ${where}`,
  agents: (db, where) => db`
    select 'agent' as kind, id, name, null::uuid as "projectId", ${noMoney(db)}, created_at as "createdAt"
    from agents where ${where}`,
  posters: (db, where) => db`
    select 'poster' as kind, id, name, null::uuid as "projectId", ${noMoney(db)}, created_at as "createdAt"
    from posters where ${where}`,
  submissions: (db, where) => db`
    select 'submission' as kind, id, title as name, project_id as "projectId", ${noMoney(db)}, created_at as "createdAt"
    from submissions where ${where}`,
  payments: (db, where) => db`
    select 'payment' as kind, id, kind || ' ' || state as name,
      (case kind when 'escrow' then subject_id when 'entry_fee' then (select project_id from submissions s where s.id = subject_id)
        else (select project_id from payouts o where o.id = subject_id) end) as "projectId",
      kind as "moneyKind", state, amount_micro as "amountMicro", tx_hash as "txHash", created_at as "createdAt"
    from payments where ${where}`,
  payouts: (db, where) => db`
    select 'payout' as kind, id, kind || ' ' || state as name, project_id as "projectId", kind as "moneyKind", state,
      amount_micro as "amountMicro", tx_hash as "txHash", created_at as "createdAt" from payouts where ${where}`,
  strays: (db, where) => db`
    select 'stray' as kind, id, 'stray' as name, null::uuid as "projectId", null::text as "moneyKind",
      case when returned_at is not null then 'returned' when payment_id is null then 'unclaimed' else 'claimed' end as state,
      amount_micro as "amountMicro", tx_hash as "txHash", recorded_at as "createdAt" from stray_transfers where ${where}`,
};

/** Reads at most 10 rows of each part. A part walks its index and stops there. */
async function find(db: Queryable, parts: [Table, Fragment][]): Promise<FoundRow[]> {
  const found = await Promise.all(
    parts.map(async ([table, where]) => await db<FoundRow[]>`${findings[table](db, where)} limit ${MOST}`),
  );
  return found.flat();
}

/** Ids in a range: the primary keys, and stray_transfers_id. */
export async function findByIds(db: Queryable, { from, to }: { from: string; to: string }): Promise<FoundRow[]> {
  const within = db`id between ${from}::uuid and ${to}::uuid order by id desc`;
  const tables: Table[] = ['projects', 'agents', 'posters', 'submissions', 'payments', 'payouts', 'strays'];
  return await find(
    db,
    tables.map((table) => [table, within]),
  );
}

/** Indexes payments_transfer and the primary key of stray_transfers. A payout has the transaction of its payment. */
export async function findByTransaction(
  db: Queryable,
  { network, txHash }: { network: string; txHash: string },
): Promise<FoundRow[]> {
  const same = db`network = ${network} and tx_hash = ${txHash}`;
  return await find(db, [
    ['payments', same],
    ['strays', same],
  ]);
}

type Wallet = { network: string; asset: string; address: string };

/**
 * Indexes agents_linked_wallet, posters_wallet, payments_authorization, and payments_block. A payout that is not sent yet
 * has no payment: payouts_credited_wallet, and payouts_unsettled, which has the payouts of a few days.
 */
export async function findByAddress(db: Queryable, { network, asset, address }: Wallet): Promise<FoundRow[]> {
  return await find(db, [
    ['agents', db`wallet_address = ${address} and wallet_linked_at is not null`],
    ['posters', db`wallet_address = ${address}`],
    ['payments', db`network = ${network} and asset = ${asset} and payer = ${address}`],
    ['payments', db`network = ${network} and pay_to = ${address} and state = 'settled' order by block_number desc`],
    ['payouts', db`recipient = ${address} and state = 'credited' order by id desc`],
    ['payouts', db`recipient = ${address} and state in ('held', 'ready') and state <> 'settled'`],
  ]);
}

/**
 * The entries with a file, and the projects with terms, by their SHA-256. Indexes media_files_sha256 and
 * project_terms_hash.
 */
export async function findByHash(db: Queryable, sha256: string): Promise<FoundRow[]> {
  const files = db`select submission_id from media_files where sha256 = decode(${sha256}, 'hex') and status = 'completed'`;
  const terms = db`select project_id from project_terms where hash = ${`sha256:${sha256}`}`;
  return await find(db, [
    ['submissions', db`id in (${files} limit ${MOST})`],
    ['projects', db`id in (${terms} limit ${MOST})`],
  ]);
}

/** Indexes agents_name and poster_directory_name. */
export async function findByName(db: Queryable, prefix: string): Promise<FoundRow[]> {
  const starts = (key: Fragment) =>
    db`${key} >= lower(${prefix}) collate "C" and ${key} < (lower(${prefix}) || chr(1114111)) collate "C"`;
  const posters = db`select poster_id from poster_directory where ${starts(db`name_key`)} order by name_key limit ${MOST}`;
  return await find(db, [
    ['agents', db`${starts(db`lower(name) collate "C"`)} order by lower(name) collate "C"`],
    ['posters', db`id in (${posters})`],
  ]);
}

/** Reads projects by their ids. */
export async function findProjects(db: Queryable, ids: string[]): Promise<FoundRow[]> {
  return await find(db, [['projects', db`id = any(${ids}::uuid[]) order by id desc`]]);
}
