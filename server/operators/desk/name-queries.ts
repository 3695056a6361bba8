import type { Queryable } from '../../db/database.ts';

/**
 * Returns the name or the title of each `kind:id` that has one. The name of money is the title of its project. All lookups
 * are by primary keys.
 */
export async function findNames(db: Queryable, ids: string[]): Promise<{ reference: string; name: string }[]> {
  return await db<{ reference: string; name: string }[]>`
    select 'project:' || id as reference, title as name from projects where id = any(${ids}::uuid[])
    union all select 'agent:' || id, name from agents where id = any(${ids}::uuid[])
    union all select 'poster:' || id, name from posters where id = any(${ids}::uuid[])
    union all select 'submission:' || id, title from submissions where id = any(${ids}::uuid[])
    union all select 'payout:' || o.id, p.title from payouts o join projects p on p.id = o.project_id where o.id = any(${ids}::uuid[])
    union all
    select 'payment:' || y.id, p.title
    from payments y left join submissions s on y.kind = 'entry_fee' and s.id = y.subject_id
      left join payouts o on y.kind in ('payout', 'refund') and o.id = y.subject_id
      join projects p on p.id = case y.kind when 'escrow' then y.subject_id when 'entry_fee' then s.project_id else o.project_id end
    where y.id = any(${ids}::uuid[])`;
}
