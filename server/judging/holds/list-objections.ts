import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import { listObjectionRows } from './objection-queries.ts';
import { shownObjection } from './objections.ts';
import type { Queryable } from '../../ports/database.ts';

type Operation = typeof holdOperations.listObjections;

type Page = Omit<Output<Operation>, 'objections'> & { objections: ReturnType<typeof shownObjection>[] };

/** Returns one page of objections, newest first. `db` may be read-only. */
export async function objectionPage(db: Queryable, query: Input<Operation>['query']): Promise<Page> {
  const { decision, project_id: projectId, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listObjectionRows(db, { decision, projectId, ...timesOfDays(query) }, { after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { objections: page.rows.map(shownObjection), has_more: page.hasMore, next_cursor: page.nextCursor };
}
