import type { Db, Tx } from '../../server/db/database.ts';

/**
 * Copies all rows of one database into another one of the same version, as a dump and its restore do: in one snapshot,
 * while the service runs, and without triggers. The rows travel as JSON text.
 */
export async function copyDatabase(from: Db, to: Db): Promise<void> {
  await from.begin(copy, { mode: 'isolation level repeatable read read only' });

  async function copy(source: Tx): Promise<void> {
    const tables = await source<{ name: string; columns: string }[]>`
      select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      group by c.oid`;
    const sequences = await source<{ name: string; last: string | null }[]>`
      select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
      where schemaname = 'public'`;
    await to.begin(async (target) => {
      await target`set local session_replication_role = replica`;
      await target.unsafe(`truncate ${tables.map(({ name }) => name).join(', ')} cascade`);
      for (const { name, columns } of tables) {
        const rows = await source.unsafe<{ text: string }[]>(`select to_jsonb(t)::text as text from ${name} t`);
        if (rows.length === 0) continue;
        await target.unsafe(
          `insert into ${name} (${columns}) overriding system value
           select ${columns} from jsonb_populate_recordset(null::${name}, $1::text::jsonb)`,
          [`[${rows.map(({ text }) => text).join(',')}]`],
        );
      }
      for (const { name, last } of sequences) if (last !== null) await target`select setval(${name}, ${last}::bigint)`;
    });
  }
}
