import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const folder = await mkdtemp(join(tmpdir(), 'concours-scopes-'));
after(() => rm(folder, { recursive: true }));

/** Every way in which the runner asks which test is running. */
const FILE = `
import { after, before, describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
const later = (ms, work) => void setTimeout(work, ms);
before(async () => await sleep(1));
await test('a file', async () => {
  await sleep(5);
  test('throws outside', async () => {
    await null;
    later(5, () => { throw new Error('of the inner test'); });
    await sleep(100);
  });
  describe('a suite', () => {
    it('passes', async (context) => { await sleep(1); await context.test('a part', () => {}); });
    it('rejects outside', async () => {
      await null;
      after(() => console.log('after the test that rejects'));
      void Promise.reject(new Error('of the suite'));
      await sleep(100);
    });
  });
  after(() => console.log('after the file'));
});
await Promise.all([
  test('side by side: one', async () => { await sleep(5); await Promise.all([1, 2].map((n) => test('part ' + n, () => {}))); }),
  test('side by side: two', async () => { await sleep(1); later(1, () => { throw new Error('of two'); }); await sleep(50); }),
]);
test('ends early', () => later(20, () => { throw new Error('too late'); }));
test('is last', async () => await sleep(100));
`;

/** Returns what the runner reports, without durations and without the stacks, which differ by the module. */
async function reportOf(options: string[]): Promise<string> {
  const file = join(folder, 'scopes.test.mjs');
  await writeFile(file, FILE);
  const args = [...options, '--test', '--test-reporter=tap', file];
  const failed = promisify(execFile)(process.execPath, args, { cwd: folder, env: {} });
  const { code, stdout } = await failed.then(
    () => assert.fail('no test failed'),
    (error: { code: number; stdout: string }) => error,
  );
  const report = stdout.replaceAll(/duration_ms:? [\d.]+/g, '').replaceAll(/^ *stack: \|-\n(?: +.+\n)+/gm, '');
  return `${code}\n${report}`;
}

it('the runner reports the same without its async hook', async () => {
  const scopes = pathToFileURL(join(import.meta.dirname, 'test-scopes.mjs')).href;
  const [own, scoped] = await Promise.all([reportOf([]), reportOf([`--import=${scopes}`])]);
  assert.equal(scoped, own);
  for (const text of ['after the file', 'of the inner test', 'of the suite', 'of two', 'too late'])
    assert.ok(scoped.includes(text), scoped);
});
