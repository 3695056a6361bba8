import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorProjectOperations } from '../../../contract/operator/projects.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import { entriesById, judgedEntries } from '../../judging/public.ts';
import { listConfirmed } from './project-queries.ts';

type Operation = typeof operatorProjectOperations.listEntriesAsOperator;

/** Lists confirmed entries as their posters see them, newest first. */
export async function listEntriesAsOperator(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { rows, end } = await listConfirmed(ctx.reads, query);
  const found = await entriesById(
    ctx.reads,
    rows.map(({ id }) => id),
  );
  const shown = new Map((await judgedEntries(ctx, found)).map((entry) => [entry.id, entry]));
  return {
    submissions: rows.flatMap(({ id, projectTitle }) => {
      const entry = shown.get(id);
      return entry ? [{ ...entry, project_title: projectTitle }] : [];
    }),
    ...end,
  };
}
