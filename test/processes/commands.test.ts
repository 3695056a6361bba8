import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startScript } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';

const { url } = await testDatabase();

async function commandOn(databaseUrl: string, ...args: string[]): Promise<{ code: number | string; output: string }> {
  const running = startScript('server/command/concours-server.mjs', args, { env: { DATABASE_URL: databaseUrl } });
  return { code: await running.ended, output: running.output() };
}

it('a command names the setting of a database that it cannot use', async () => {
  const { url: emptyUrl } = await testDatabase({ last: null });
  for (const [problem, given] of [
    [/^DATABASE_URL: .*ECONNREFUSED/, 'postgres://me@127.0.0.1:1/market'],
    [/^DATABASE_URL: the database lacks 0001/, emptyUrl],
  ] as const) {
    const { code, output } = await commandOn(given, 'operators', 'list');
    assert.equal(code, 1);
    assert.match(output, problem);
    assert.doesNotMatch(output, /\n *at /, 'no stack trace');
  }
});

it('migrate --plan: lists what would be applied, and changes nothing', async () => {
  assert.equal((await commandOn(url, 'migrate', '--plan')).output.trim(), 'Nothing to apply.');
  const empty = await testDatabase({ last: null });
  const onEmpty = (...args: string[]) => commandOn(empty.url, 'migrate', ...args);
  const plan = await onEmpty('--plan');
  assert.deepEqual([plan.code, /^\d{4}_\w+\.sql {2}expand$/m.test(plan.output)], [0, true], plan.output);
  const tables = async () => (await empty.db`select 1 from pg_tables where schemaname = 'public'`).length;
  assert.equal(await tables(), 0);
  const applied = await onEmpty();
  assert.deepEqual([applied.code, /^applied \d{4}_/m.test(applied.output)], [0, true], applied.output);
  assert.ok((await tables()) > 0);
});
