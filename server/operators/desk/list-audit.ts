import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { auditOperations } from '../../../contract/operator/audit.ts';
import { listAuditRows } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { readPage } from '../../paging.ts';
import type { OperatorCaller } from '../../callers.ts';
import { findNames } from './name-queries.ts';

type Operation = typeof auditOperations.listAudit;

const ID = /:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Lists the audit trail, newest first. Each line names its actor and its subject. */
export async function listAudit(
  { reads }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { subject, action, actor, since, before } = query;
  const { rows, end } = await readPage(
    query,
    async (page) => await listAuditRows(reads, { subject, action, actor, since, before }, page),
    (entry) => entry,
  );
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
