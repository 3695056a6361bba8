import { pipeline } from 'node:stream/promises';
import type { Db } from '../../server/ports/database.ts';

/**
 * Copies all rows of one database into another one of the same version, as a dump and its restore do: in one snapshot,
 * while the service runs, and without triggers.
 */
export async function copyDatabase(from: Db, to: Db): Promise<void> {
  await from.begin('isolation level repeatable read read only', async (source) => {
    const tables = await source<{ name: string; columns: string }[]>`
      select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      group by c.oid`;
    await to.begin(async (target) => {
      await target`set local session_replication_role = replica`;
      await target.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
      for (const { name, columns } of tables) {
        const rows = await source.unsafe(`copy (select ${columns} from ${name}) to stdout`).readable();
        await pipeline(rows, await target.unsafe(`copy ${name} (${columns}) from stdin`).writable());
      }
    });
  });
}
