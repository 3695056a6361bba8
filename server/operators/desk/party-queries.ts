import type { Queryable } from '../../db/database.ts';

export type PartyRow = {
  id: string;
  projectId: string | null;
  title: string | null;
  agentId: string | null;
  agentName: string | null;
  posterId: string | null;
  posterName: string | null;
};

/** The kind of a payment with the id of its subject, or `payout` with the id of a payout. */
export type MoneySubject = { id: string; kind: 'entry_fee' | 'escrow' | 'payout' | 'refund'; subjectId: string };

const named = (db: Queryable) => db`
  select m.id, p.id as "projectId", p.title, a.id as "agentId", a.name as "agentName", po.id as "posterId",
    po.name as "posterName"
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

/** Finds the agent and the poster of wallets. Indexes agents_linked_wallet and posters_wallet. */
export async function findPartiesOfWallets(
  db: Queryable,
  wallets: { id: string; address: string }[],
): Promise<PartyRow[]> {
  return await db<PartyRow[]>`
    with given as (
      select * from unnest(${wallets.map(({ id }) => id)}::uuid[], ${wallets.map(({ address }) => address)}::text[])
        as g (id, address)
    ), moved as (
      select g.id, null::uuid as project_id, a.id as agent_id, po.id as poster_id
      from given g left join agents a on a.wallet_address = g.address and a.wallet_linked_at is not null
        left join posters po on po.wallet_address = g.address
    ) ${named(db)}`;
}

/** Finds the parties of the payments that claimed strays, and of the wallets that sent the others. */
export async function findPartiesOfStrays(db: Queryable, strayIds: string[]): Promise<PartyRow[]> {
  const strays = await db<{ id: string; address: string; paymentId: string | null }[]>`
    select id, lower(sender) as address, payment_id as "paymentId" from stray_transfers
    where id = any(${strayIds}::uuid[])`;
  const claimed = strays.flatMap(({ paymentId }) => paymentId ?? []);
  const [ofWallets, ofPayments] = await Promise.all([
    findPartiesOfWallets(
      db,
      strays.filter(({ paymentId }) => paymentId === null),
    ),
    findPartiesOfPayments(db, claimed),
  ]);
  const byPayment = new Map(ofPayments.map((row) => [row.id, row]));
  return [
    ...ofWallets,
    ...strays.flatMap(({ id, paymentId }) => {
      const row = paymentId === null ? undefined : byPayment.get(paymentId);
      return row ? [{ ...row, id }] : [];
    }),
  ];
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
