import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startScript } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';

const { db, url } = await testDatabase();

async function command(...args: string[]): Promise<{ code: number | string; output: string }> {
  const running = startScript('server/command/concours-server.mjs', args, { env: { DATABASE_URL: url } });
  return { code: await running.ended, output: running.output() };
}

it('operators: adds one, lists it without its key, and revokes it, under the name of the user', async () => {
  const added = await command('operators', 'add', 'ada', '--scopes', 'money,admin', '--reason', 'Runs the service');
  assert.deepEqual([added.code, /^co_test_\w+\n$/.test(added.output)], [0, true], added.output);
  const twice = await command('operators', 'add', 'ada', '--scopes', 'read', '--reason', 'Again');
  assert.deepEqual([twice.code, /An operator has this name/.test(twice.output)], [1, true], twice.output);
  const wrong = await command('operators', 'add', 'Ada!', '--scopes', 'root', '--reason', 'Again');
  assert.deepEqual([wrong.code, /name: 2 to 32/.test(wrong.output), /scopes.0: /.test(wrong.output)], [1, true, true]);
  assert.match((await command('operators', 'list')).output, /^ada {2}money,admin {2}no codes {2}until 20/);
  assert.match((await command('operators', 'revoke', 'ada', '--reason', 'Left')).output, /^ada .* revoked 20/);
  const trail = await db<{ actor: string; action: string }[]>`select actor, action from audit_trail order by at, id`;
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['operator.add', 'operator.revoke'],
  );
  assert.ok(trail.every(({ actor }) => actor.startsWith('command:')));
});

it('a command names the setting of a database that it cannot use', async () => {
  const on = async (databaseUrl: string) => {
    const running = startScript('server/command/concours-server.mjs', ['operators', 'list'], {
      env: { DATABASE_URL: databaseUrl },
    });
    return { code: await running.ended, output: running.output() };
  };
  const { url: emptyUrl } = await testDatabase({ last: null });
  for (const [problem, given] of [
    [/^DATABASE_URL: .*ECONNREFUSED/, 'postgres://me@127.0.0.1:1/market'],
    [/^DATABASE_URL: .*ECONNREFUSED/, 'postgres://me@localhost:1/market'],
    [/^DATABASE_URL: the database lacks 0001/, emptyUrl],
  ] as const) {
    const { code, output } = await on(given);
    assert.equal(code, 1);
    assert.match(output, problem);
    assert.doesNotMatch(output, /\n *at /, 'no stack trace');
  }
});

it('audit verify: prints the head of a trail that fits, and exits with 1 for one that does not', async () => {
  const fine = await command('audit', 'verify');
  assert.deepEqual([fine.code, fine.output.startsWith('0 records fit the chain')], [0, true], fine.output);
  await db`delete from audit_waiting`;
  const inserted = await command('audit', 'verify');
  assert.deepEqual([inserted.code, /was inserted/.test(inserted.output)], [1, true], inserted.output);
});

it('keys: prints a production environment with other keys each time', async () => {
  const [first, second] = [await command('keys'), await command('keys')];
  const keyOf = ({ output }: { output: string }) => /^TREASURY_KEY=(0x[0-9a-f]{64})$/m.exec(output)?.[1];
  assert.deepEqual([first.code, second.code], [0, 0], first.output);
  assert.match(first.output, /^NODE_ENV=production$/m);
  assert.ok(keyOf(first));
  assert.notEqual(keyOf(first), keyOf(second));
});

it('migrate --plan: lists what would be applied, and changes nothing', async () => {
  assert.equal((await command('migrate', '--plan')).output.trim(), 'Nothing to apply.');
  const empty = await testDatabase({ last: null });
  const onEmpty = async (...args: string[]) => {
    const running = startScript('server/command/concours-server.mjs', ['migrate', ...args], {
      env: { DATABASE_URL: empty.url },
    });
    return { code: await running.ended, output: running.output() };
  };
  const plan = await onEmpty('--plan');
  assert.deepEqual([plan.code, /^0034_recovery\.sql {2}expand$/m.test(plan.output)], [0, true], plan.output);
  const tables = async () => (await empty.db`select 1 from pg_tables where schemaname = 'public'`).length;
  assert.equal(await tables(), 0);
  const applied = await onEmpty();
  assert.deepEqual([applied.code, /^applied 0034_recovery/m.test(applied.output)], [0, true], applied.output);
  assert.ok((await tables()) > 0);
});
