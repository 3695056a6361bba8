import type { Db } from '../../../server/ports/database.ts';

// Secrets with known values, and a search for any part of them in places where they must not be.

/** Secrets by name. Tests add them as the service issues them. */
export type Canaries = Map<string, string>;

const LONG_ENOUGH = 20;

/**
 * Returns the parts of a secret that are long enough to be useful, in any letter case and in the usual encodings. It
 * skips the common prefix of keys and payments. The id of a key is not secret.
 */
function shapesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const parts = [secret, secret.slice(31, 63), secret.slice(-32)].filter((part) => part.length >= LONG_ENOUGH);
  return [...parts, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')].map((part) =>
    part.toLowerCase(),
  );
}

/** Returns the names of the secrets of which the text contains any part. */
export function foundIn(place: string, canaries: Canaries): string[] {
  const lower = place.toLowerCase();
  return [...canaries]
    .filter(([, secret]) => shapesOf(secret).some((shape) => lower.includes(shape)))
    .map(([name]) => name);
}

/**
 * Returns every row of every table as text, with bytes in hexadecimal as in a dump. It does not use COPY, because
 * postgres.js 3.4.9 can leave that connection paused forever. This happens if the last bytes exceed the buffer of its
 * stream.
 */
export async function dumpOf(db: Db): Promise<Map<string, string>> {
  const tables = await db<{ name: string }[]>`
    select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  // One statement, because each file of tests ends with this search.
  const texts = tables.map(({ name }) => `(select string_agg(t::text, E'\\n') from ${name} t)`);
  const [whole] = await db.unsafe<{ texts: (string | null)[] }[]>(`select array[${texts.join()}] as texts`);
  return new Map(tables.map(({ name }, index) => [name, whole!.texts[index] ?? '']));
}
