import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { auditOperations } from '../../../contract/operator/audit.ts';
import { listAuditRows } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';

type Operation = typeof auditOperations.listAudit;

const ID = /:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Lists the audit trail, newest first. Each line names its actor and its subject. */
export async function listAudit(
  { reads }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { rows, end } = await listAuditRows(reads, query);
  const references = rows.flatMap((row) => [row.actor, row.subject]);
  const ids = [...new Set(references.flatMap((reference) => ID.exec(reference)?.[1] ?? []))];
  const names = new Map((await findNames(reads, ids)).map(({ reference, name }) => [reference, name]));
  return {
    entries: rows.map((row) => ({
      ...row,
      actor_name: names.get(row.actor) ?? null,
      subject_name: names.get(row.subject) ?? null,
    })),
    ...end,
  };
}

/**
 * Returns the name or the title of each `kind:id` that has one. The name of money is the title of its project. All lookups
 * are by primary keys.
 */
async function findNames(db: Queryable, ids: string[]): Promise<{ reference: string; name: string }[]> {
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
