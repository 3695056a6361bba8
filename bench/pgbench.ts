import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Search, searchStatement } from '../server/projects/search/search-queries.ts';
import { DATABASE_CONNECTIONS } from './bench-world.ts';

const run = promisify(execFile);

/**
 * Returns pgbench's transactions per second for these searches, or null if pgbench is not installed. The embedded
 * PostgreSQL does not include it.
 */
export async function pgbenchLoad(
  databaseUrl: string,
  searches: Search[],
  durationMs: number,
): Promise<{ perSecond(): Promise<number>; close(): Promise<void> } | null> {
  if (!(await run('pgbench', ['--version']).catch(() => null))) return null;
  const folder = await mkdtemp(join(tmpdir(), 'concours-pgbench-'));
  const args = [
    '--no-vacuum',
    '--protocol=extended',
    `--client=${DATABASE_CONNECTIONS}`,
    `--time=${Math.max(1, Math.round(durationMs / 1000))}`,
  ];
  for (const [index, search] of searches.entries()) {
    const script = scriptOf(search, `s${index}`);
    const file = join(folder, `${index}.sql`);
    await writeFile(file, script.text);
    args.push('-f', file, ...script.variables.flatMap(([name, value]) => ['-D', `${name}=${value}`]));
  }
  const { pathname, hostname, port, username, password } = new URL(databaseUrl);
  const env = {
    ...process.env,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: decodeURIComponent(password),
  };
  return {
    async perSecond() {
      const { stdout } = await run('pgbench', [...args, pathname.slice(1)], { env });
      return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns the statement with pgbench variables as parameters. Each walk starts from a different amount. */
function scriptOf(search: Search, prefix: string): { text: string; variables: [string, string][] } {
  const { text, values } = searchStatement(search);
  // A pgbench variable cannot hold an empty text.
  const statement = text.replaceAll(/\$(\d+)/g, (_, place: string) =>
    values[Number(place) - 1] === '' ? "''" : `:${prefix}_${place}`,
  );
  const { minPrizeMicro, maxFeeMicro } = search;
  const amounts = values.flatMap((value, index) => {
    const [least, most] =
      value === minPrizeMicro ? [10_000_000, 1_910_000_000] : value === maxFeeMicro ? [200_000, 5_000_000] : [0, 0];
    return most > 0 ? [`\\set ${prefix}_${index + 1} random(${least}, ${most})`] : [];
  });
  const variables = values
    .map((value, index): [string, string] => [
      `${prefix}_${index + 1}`,
      value instanceof Date ? value.toISOString() : String(value),
    ])
    .filter(([, value]) => value !== '');
  return { text: `${amounts.join('\n')}\n${statement.replaceAll(/\s+/g, ' ')};\n`, variables };
}
