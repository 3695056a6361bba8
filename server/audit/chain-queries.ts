import type { Queryable, Tx } from '../ports/database.ts';

/** A record as the chain hashes it: every value as PostgreSQL writes it, so that the hash needs no clock or locale. */
export type ChainedRecord = {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  reason: string | null;
  /** The text of the jsonb value. */
  details: string;
};

export type ChainHead = { last: number; hash: Buffer };

/** Locks the end of the chain; null while another process continues it. */
export async function lockChain(tx: Tx): Promise<ChainHead | null> {
  const [head] = await tx<ChainHead[]>`select last, hash from audit_head for update skip locked`;
  return head ?? null;
}

export async function findChainHead(db: Queryable): Promise<ChainHead> {
  const [head] = await db<[ChainHead]>`select last, hash from audit_head`;
  return head;
}

/** Takes the oldest committed records that have no place in the chain. */
export async function takeWaiting(tx: Tx, limit: number): Promise<ChainedRecord[]> {
  return await tx<ChainedRecord[]>`
    with taken as (
      delete from audit_waiting
      where place in (select place from audit_waiting order by place limit ${limit})
      returning place, id
    )
    select a.id, a.at, a.actor, a.action, a.subject, a.reason, a.details::text as details
    from taken join audit_trail a using (id) order by place`;
}

export async function isRecordWaiting(db: Queryable): Promise<boolean> {
  const rows = await db`select from audit_waiting limit 1`;
  return rows.length > 0;
}

export async function appendToChain(
  tx: Tx,
  links: { seq: number; id: string; hash: Buffer }[],
  head: ChainHead,
): Promise<void> {
  await tx`insert into audit_chain ${tx(links, 'seq', 'id', 'hash')}`;
  await tx`update audit_head set last = ${head.last}, hash = ${head.hash}`;
}

/** A link with its record; null where the record is missing. */
export type LinkRow = { seq: number; id: string; hash: Buffer; record: ChainedRecord | null };

/** Returns the links after a number, up to another one. Index audit_chain_pkey. */
export async function linksAfter(
  db: Queryable,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<LinkRow[]> {
  const rows = await db<({ seq: number; id: string; hash: Buffer; found: boolean } & Omit<ChainedRecord, 'id'>)[]>`
    select c.seq, c.id, c.hash, a.id is not null as found, a.at, a.actor, a.action, a.subject, a.reason,
      a.details::text as details
    from (select * from audit_chain where seq > ${after} and seq <= ${upTo} order by seq limit ${limit}) c
    left join audit_trail a using (id) order by c.seq`;
  return rows.map(({ seq, id, hash, found, ...record }) => ({
    seq,
    id,
    hash,
    record: found ? { id, ...record } : null,
  }));
}

/** Returns records that are neither in the chain nor waiting for it. */
export async function findUnchained(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select a.id from audit_trail a
    where not exists (select from audit_chain c where c.id = a.id)
      and not exists (select from audit_waiting w where w.id = a.id)
    limit ${limit}`;
  return rows.map(({ id }) => id);
}
