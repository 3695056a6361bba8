import type { z } from 'zod';
import type { parties } from '../../../contract/basics/parties.ts';
import type { Queryable } from '../../db/database.ts';

export type Parties = z.input<typeof parties>;
type PartyRow = Parties & { id: string };

export const NOBODY: Parties = { project: null, agent: null, poster: null };

/** Returns a function that gives the parties of each row by its id. */
export function partiesBy(rows: PartyRow[]): (id: string) => Parties {
  const byId = new Map(rows.map(({ id, ...of }) => [id, of]));
  return (id) => byId.get(id) ?? NOBODY;
}

/** The kind of a payment with the id of its subject, or `payout` with the id of a payout. */
export type MoneySubject = { id: string; kind: 'entry_fee' | 'escrow' | 'payout' | 'refund'; subjectId: string };

const named = (db: Queryable) => db`
  select m.id, case when p.id is not null then json_build_object('id', p.id, 'name', p.title) end as project,
    case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as agent,
    case when po.id is not null then json_build_object('id', po.id, 'name', po.name) end as poster
  from moved m left join projects p on p.id = m.project_id left join agents a on a.id = m.agent_id
    left join posters po on po.id = coalesce(m.poster_id, p.poster_id)`;

/** Finds the project, the agent, and the poster of money. All lookups are by primary keys. */
export async function findParties(db: Queryable, money: MoneySubject[]): Promise<PartyRow[]> {
  return await db<PartyRow[]>`
    with given as (
      select * from unnest(${money.map(({ id }) => id)}::uuid[], ${money.map(({ kind }) => kind)}::text[],
        ${money.map(({ subjectId }) => subjectId)}::uuid[]) as g (id, kind, subject_id)
    ), moved as (
      select g.id, s.project_id, s.agent_id, null::uuid as poster_id
      from given g join submissions s on s.id = g.subject_id where g.kind = 'entry_fee'
      union all select id, subject_id, null, null from given where kind = 'escrow'
      union all select g.id, o.project_id, coalesce(o.agent_id, s.agent_id), null
      from given g join payouts o on o.id = g.subject_id left join submissions s on s.id = o.submission_id
      where g.kind in ('payout', 'refund')
    ) ${named(db)}`;
}

/** Finds the parties of payments by their ids. */
export async function findPartiesOfPayments(db: Queryable, paymentIds: string[]): Promise<PartyRow[]> {
  const subjects = await db<MoneySubject[]>`
    select id, kind, subject_id as "subjectId" from payments where id = any(${paymentIds}::uuid[])`;
  return await findParties(db, subjects);
}

/**
 * Finds the parties of the payments that claimed strays, and of the wallets that sent the others. Indexes
 * agents_linked_wallet and posters_wallet.
 */
export async function findPartiesOfStrays(db: Queryable, strayIds: string[]): Promise<PartyRow[]> {
  const [claimed, sent] = await Promise.all([
    db<MoneySubject[]>`
      select t.id, y.kind, y.subject_id as "subjectId" from stray_transfers t join payments y on y.id = t.payment_id
      where t.id = any(${strayIds}::uuid[])`,
    db<PartyRow[]>`
      with moved as (
        select t.id, null::uuid as project_id, a.id as agent_id, po.id as poster_id
        from stray_transfers t left join agents a on a.wallet_address = lower(t.sender) and a.wallet_linked_at is not null
          left join posters po on po.wallet_address = lower(t.sender)
        where t.id = any(${strayIds}::uuid[]) and t.payment_id is null
      ) ${named(db)}`,
  ]);
  return [...sent, ...(await findParties(db, claimed))];
}

/** Index submissions_agent. */
export async function submissionIdsOfAgent(db: Queryable, agentId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from submissions where agent_id = ${agentId}`;
  return rows.map(({ id }) => id);
}

/** Index submissions_entries. */
export async function submissionIdsOfProject(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from submissions where project_id = ${projectId}`;
  return rows.map(({ id }) => id);
}

/** Index projects_poster. */
export async function projectIdsOf(db: Queryable, posterId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from projects where poster_id = ${posterId}`;
  return rows.map(({ id }) => id);
}
