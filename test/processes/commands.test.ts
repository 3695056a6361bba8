import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startScript } from '../support/processes/processes.ts';
import { testDatabase } from '../support/test-database.ts';

const { url } = await testDatabase({ empty: true });

async function commandOn(databaseUrl: string, ...args: string[]): Promise<{ code: number | string; output: string }> {
  const running = startScript('server/command/concours-server.mjs', args, { env: { DATABASE_URL: databaseUrl } });
  return { code: await running.ended, output: running.output() };
}

it('a command names the setting of a database that it cannot use', async () => {
  for (const [problem, given] of [
    [/^DATABASE_URL: .*ECONNREFUSED/, 'postgres://me@127.0.0.1:1/market'],
    [/DATABASE_URL: names several hosts/, 'postgres://me@a,b/market'],
  ] as const) {
    const { code, output } = await commandOn(given, 'migrate');
    assert.equal(code, 1);
    assert.match(output, problem);
    assert.doesNotMatch(output, /\n *at /, 'no stack trace');
  }
});

it('migrate applies what is missing', async () => {
  for (const expected of [/^applied 0001_baseline.sql$/m, /^Nothing to apply\.$/m]) {
    const { code, output } = await commandOn(url, 'migrate');
    assert.deepEqual([code, expected.test(output)], [0, true], output);
  }
});
