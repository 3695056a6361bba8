import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startScript } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';

const { db, url } = await testDatabase({ last: null });

async function commandOn(databaseUrl: string, ...args: string[]): Promise<{ code: number | string; output: string }> {
  const running = startScript('server/command/concours-server.mjs', args, { env: { DATABASE_URL: databaseUrl } });
  return { code: await running.ended, output: running.output() };
}

it('a command names the setting of a database that it cannot use', async () => {
  for (const [problem, given] of [
    [/^DATABASE_URL: .*ECONNREFUSED/, 'postgres://me@127.0.0.1:1/market'],
    [/^DATABASE_URL: the database lacks 0001/, url],
  ] as const) {
    const { code, output } = await commandOn(given, 'operators', 'list');
    assert.equal(code, 1);
    assert.match(output, problem);
    assert.doesNotMatch(output, /\n *at /, 'no stack trace');
  }
});

it('migrate --plan: lists what would be applied, and changes nothing', async () => {
  const migrate = (...args: string[]) => commandOn(url, 'migrate', ...args);
  const tables = async () => (await db`select 1 from pg_tables where schemaname = 'public'`).length;
  const plan = await migrate('--plan');
  assert.deepEqual([plan.code, /^\d{4}_\w+\.sql {2}expand$/m.test(plan.output)], [0, true], plan.output);
  assert.equal(await tables(), 0);
  const applied = await migrate();
  assert.deepEqual([applied.code, /^applied \d{4}_/m.test(applied.output)], [0, true], applied.output);
  assert.ok((await tables()) > 0);
  assert.equal((await migrate('--plan')).output.trim(), 'Nothing to apply.');
});
