import type { Db } from '../../../server/ports/database.ts';

// Secrets whose values are known, and whether anything of them is somewhere where it should not be.

/** By name; added as they are given out. */
export type Canaries = Map<string, string>;

const LONG_ENOUGH = 20;

/**
 * Any part of a secret that is long enough to be of use, in any letter case, as it is and in the usual encodings. Of keys
 * and payments the beginning is the same for all, and a key's id is no secret.
 */
function shapesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const parts = [secret, secret.slice(31, 63), secret.slice(-32)].filter((part) => part.length >= LONG_ENOUGH);
  return [...parts, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')].map((part) =>
    part.toLowerCase(),
  );
}

/** The names of those of which anything is in the text. */
export function foundIn(place: string, canaries: Canaries): string[] {
  const lower = place.toLowerCase();
  return [...canaries]
    .filter(([, secret]) => shapesOf(secret).some((shape) => lower.includes(shape)))
    .map(([name]) => name);
}

/**
 * Every row of every table as text, bytes in hexadecimal, as a dump has them. Not by COPY: the driver can leave a connection
 * that did one paused for ever (postgres.js 3.4.9, when the last bytes to arrive are more than its stream wants to hold).
 */
export async function dumpOf(db: Db): Promise<Map<string, string>> {
  const tables = await db<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const [whole] = await db.unsafe<{ rows: string }[]>(
      `select coalesce(string_agg(t::text, E'\\n'), '') rows from ${name} t`,
    );
    dump.set(name, whole!.rows);
  }
  return dump;
}
