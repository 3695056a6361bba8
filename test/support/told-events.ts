import type { Queryable } from '../../server/db/database.ts';

/** Members of the data of an event; tests name the type that they expect. */
export type Told = { stream: string; data: Record<string, unknown> };

/**
 * Returns the events of a type that changes have written, oldest first. They may lack their number: the change and its event
 * are one transaction, and the job that numbers events comes later.
 *
 * @param about members of the data that the events must have
 */
export async function toldEvents(db: Queryable, type: string, about: Record<string, unknown> = {}): Promise<Told[]> {
  const rows = await db<Told[]>`select stream, data from events where type = ${type} order by occurred_at, id`;
  const wanted = Object.entries(about);
  return rows.filter(({ data }) => wanted.every(([name, value]) => data[name] === value));
}
