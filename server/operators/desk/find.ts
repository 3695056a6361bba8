import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { findOperations } from '../../../contract/operator/find.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Fragment, Queryable } from '../../db/database.ts';

type Operation = typeof findOperations.findAsOperator;
type Found = Output<Operation>['results'][number] & { created_at: Date };
type Part = [kind: Found['kind'], where: Fragment];

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^(0x|sha256:)?([0-9a-f]{64})$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;

const columns = {
  project: (db: Queryable) => db`id, title as name, id as project_id, created_at from projects`,
  agent: (db: Queryable) => db`id, name, null::uuid as project_id, created_at from agents`,
  poster: (db: Queryable) => db`id, name, null::uuid as project_id, created_at from posters`,
  submission: (db: Queryable) => db`id, title as name, project_id, created_at from submissions`,
  payment: (db: Queryable) => db`id, kind || ' ' || state as name, (case kind when 'escrow' then subject_id
    when 'entry_fee' then (select project_id from submissions s where s.id = subject_id)
    else (select project_id from payouts o where o.id = subject_id) end) as project_id, created_at from payments`,
  payout: (db: Queryable) => db`id, kind || ' ' || state as name, project_id, created_at from payouts`,
  stray: (db: Queryable) => db`id, case when returned_at is not null then 'returned' when payment_id is null
    then 'unclaimed' else 'claimed' end as name, null::uuid as project_id, recorded_at as created_at from stray_transfers`,
};

/** Finds what an exact id, transaction, hash, or wallet address belongs to. Each part walks one index. */
export async function findAsOperator(
  { reads, network }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const parts = partsOf(reads, network.id, query.q.trim().toLowerCase());
  const found = await Promise.all(
    parts.map(
      async ([kind, where]) =>
        await reads<Found[]>`select ${kind} as kind, ${columns[kind](reads)} where ${where} limit 10`,
    ),
  );
  // A payment from a wallet to itself is found twice.
  const once = new Map(found.flat().map((row) => [`${row.kind} ${row.id}`, row]));
  const newestFirst = [...once.values()].toSorted((a, b) => Number(b.created_at) - Number(a.created_at));
  return {
    results: newestFirst.map(({ kind, id, name, project_id: projectId }) => ({
      kind,
      id,
      name,
      project_id: projectId,
    })),
  };
}

function partsOf(db: Queryable, network: string, text: string): Part[] {
  if (ID.test(text)) return (Object.keys(columns) as Found['kind'][]).map((kind) => [kind, db`id = ${text}`]);
  if (ADDRESS.test(text))
    return [
      ['agent', db`wallet_address = ${text} and wallet_linked_at is not null`],
      ['poster', db`wallet_address = ${text}`],
      ['payment', db`network = ${network} and payer = ${text} order by created_at desc`],
      ['payment', db`network = ${network} and pay_to = ${text} and state = 'settled' order by block_number desc`],
      ['payout', db`recipient = ${text} and state <> 'settled' order by created_at desc`],
    ];
  const [, prefix, hash = ''] = HASH.exec(text) ?? [];
  if (prefix === '0x') {
    const same = db`network = ${network} and tx_hash = ${text}`;
    return [
      ['payment', same],
      ['stray', same],
    ];
  }
  if (hash === '') return [];
  const file = db`select submission_id from media_files where sha256 = decode(${hash}, 'hex') and status = 'completed'`;
  return [
    ['submission', db`id in (${file})`],
    ['project', db`id in (select project_id from project_terms where hash = ${`sha256:${hash}`})`],
  ];
}
