import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPool } from '../../server/db/pool.ts';
import { startProgram, startScript } from '../support/processes/processes.ts';
import { testServer } from '../support/test-database.ts';
import { unpack } from './versions.ts';
import { removeFolder } from '../support/remove-folder.ts';

/** The tests copy this database. They create it from the migrations of their version if it is missing. */
const TEMPLATES = 'concours_template_%';
const MAKE_TEMPLATE = `import { testDatabase } from './test/support/test-database.ts';\nawait testDatabase();\n`;

export type JourneysReport = { migrated: string[]; failed: boolean; output: string };

/**
 * Runs journeys of an earlier version, as that version has them, on databases with the schema of the working tree after
 * `expand`. `patterns` are parts of the paths of its test files.
 */
export async function earlierJourneys(from: string, patterns: string[]): Promise<JourneysReport> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-journeys-'));
  const before = join(folder, 'before');
  await unpack(from, before);
  const server = await testServer();
  const env = {
    TEST_DATABASE_URL: server.url,
    CI: 'true',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compiled'),
  };
  const admin = createPool({ url: server.url, connections: 1 });
  const templates = async () =>
    (await admin<{ name: string }[]>`select datname as name from pg_database where datname like ${TEMPLATES}`).map(
      ({ name }) => name,
    );
  try {
    await writeFile(join(before, 'make-template.mjs'), MAKE_TEMPLATE);
    await ended(startProgram(join(before, 'make-template.mjs'), [], { env }));
    const [template = '', ...others] = await templates();
    if (template === '' || others.length > 0) throw new Error('the tests made no template, or several');
    const url = Object.assign(new URL(server.url), { pathname: `/${template}` }).toString();
    const migrate = ['migrate', '--phase', 'expand'];
    const lines = await ended(
      startScript('server/command/concours-server.mjs', migrate, { env: { DATABASE_URL: url } }),
    );
    const running = startProgram(join(before, 'scripts', 'test.ts'), patterns, { env });
    const code = await running.ended;
    // Otherwise the tests have made a template of their own, and have not met the new schema.
    const [same, ...more] = await templates();
    if (same !== template || more.length > 0) throw new Error('the tests did not use the migrated template');
    const migrated = lines.split('\n').flatMap((line) => /^applied (.+)/.exec(line)?.[1] ?? []);
    return { migrated, failed: code !== 0, output: running.output() };
  } finally {
    await admin.end();
    await server.stop();
    await removeFolder(folder);
  }
}

async function ended({ ended: end, output }: ReturnType<typeof startProgram>): Promise<string> {
  const code = await end;
  if (code !== 0) throw new Error(`a program ended with ${code}:\n${output()}`);
  return output();
}
