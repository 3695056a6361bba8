import type { Migration, Phase } from './migration-files.ts';
import type { Queryable } from '../ports/database.ts';

/** One row of the table `migrations`. */
export type Applied = { name: string; hash: string; kind: string | null; lowestCode: string | null };

/** Reads what is applied, also from a database whose table is older than its last two columns. */
export async function listApplied(db: Queryable): Promise<Applied[]> {
  const [found] = await db`select to_regclass('migrations') is not null as exists`;
  if (!found?.['exists']) return [];
  return await db<Applied[]>`
    select name, hash, to_jsonb(m) ->> 'kind' as kind, to_jsonb(m) ->> 'lowest_code' as "lowestCode"
    from migrations m order by name`;
}

/**
 * Checks whether this code may use the database. Unknown migrations that expand change nothing that this code uses. After
 * those that contract, the database says the lowest version that it serves.
 *
 * @throws Error that says what to do
 */
export function checkApplied(applied: Applied[], files: Migration[], version: string): void {
  const needs = applied.filter(({ lowestCode }) => lowestCode !== null && isOlder(version, lowestCode));
  const [newest] = needs.toSorted((a, b) => (isOlder(a.lowestCode ?? '', b.lowestCode ?? '') ? 1 : -1));
  if (newest)
    throw new Error(
      `the database no longer serves version ${version}: since the migration ${newest.name} it needs version ` +
        `${newest.lowestCode} or a newer one. Start such a version, or restore a backup from before that migration.`,
    );
  for (const { name, hash, kind } of applied) {
    const file = files.find((each) => each.name === name);
    if (!file && kind === null)
      throw new Error(
        `the database has the migration ${name}, which this version does not know. ` +
          'Start the version that applied it, or a newer one.',
      );
    if (file && file.hash !== hash)
      throw new Error(`migration ${name} was changed after it was applied. Restore the file as it was applied.`);
  }
}

/** Returns the migrations of a phase that are not applied, in their order: all that expand, then all that contract. */
export function pendingOf(applied: Applied[], files: Migration[], phase: Phase): Migration[] {
  const known = new Set(applied.map(({ name }) => name));
  const missing = files.filter(({ name }) => !known.has(name));
  const contracts = missing.filter(({ kind }) => kind === 'contract');
  const expands = missing.filter(({ kind }) => kind !== 'contract');
  if (phase === 'expand') return expands;
  if (phase === 'contract') return contracts;
  return [...expands, ...contracts];
}

/** Compares versions such as 0.9.0 and 0.10.0 by their numbers. */
function isOlder(version: string, other: string): boolean {
  const parts = (text: string) => text.replace(/-.*/, '').split('.').map(Number);
  const against = parts(other);
  const differences = parts(version).map((number, index) => number - (against[index] ?? 0));
  return (differences.find((difference) => difference !== 0) ?? 0) < 0;
}
