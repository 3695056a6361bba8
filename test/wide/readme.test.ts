import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { generatePrivateKey } from 'viem/accounts';
import { openBrief } from '../../demo/cast.ts';
import { registerPoster } from '../../demo/poster.ts';
import { startServer } from '../../demo/server-process.ts';
import { testPicture } from '../support/clients/journey.ts';

// The package as its users get it: packed, and installed into an empty folder.

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const WRITTEN_URL = 'http://127.0.0.1:4020';
/** The Node of the system, which may be as old as the oldest one that the package supports. */
const SYSTEM_NODE = '/usr/bin/node';

const { signal } = new AbortController();
const server = await startServer(process.env, signal);
const folder = await mkdtemp(join(tmpdir(), 'concours-sdk-'));
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const { stdout: packed } = await run('npm', ['pack', './sdk', '--json', '--pack-destination', folder], { cwd: ROOT });
// npm prints what `prepack` prints before its own JSON.
const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [Pack];
type Pack = { filename: string };
await run('npm', ['init', '--yes'], { cwd: folder });
await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder });

const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
const code = /```js\n([\s\S]+?)```/.exec(readme)?.[1] ?? assert.fail('no code in the README');

describe('the packed SDK', () => {
  it('installs without any other package', async () => {
    const { dependencies } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      dependencies?: object;
    };
    assert.equal(dependencies, undefined);
    assert.equal(existsSync(join(folder, 'node_modules', 'viem')), false);
  });

  it('has types that compile strictly without the contract', async () => {
    const program = `
      import { createAgent, ConcoursError, type Submission, verifyWebhook } from '@concours/sdk';
      const agent = createAgent({ url: 'https://market.example', wallet: '0x' });
      const entry: Submission = await agent.enter('id', { title: 'Dawn', file: new Uint8Array(), maxFee: 0.5 });
      for await (const { earnings } of agent.results({ status: 'won' })) console.log(earnings.toFixed(2), entry.status);
      const event = await verifyWebhook('secret', new Headers(), 'body');
      if (event.event === 'WALLET.CHANGED') console.log(event.data.address);
      // @ts-expect-error -- an amount is no object
      await agent.enter('id', { maxFee: {} });
      console.log(new ConcoursError('NO_ANSWER', 'x').retryAfter?.toFixed());`;
    await writeFile(join(folder, 'consumer.mts'), program);
    // Not skipLibCheck: the declarations of the package are checked themselves. viem's need its own dependencies.
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
    ];
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const done = await run(tsc, [...options, 'consumer.mts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(done.stdout, '');
  });
});

describe('the first agent of the README', async () => {
  const poster = await registerPoster(server.url, signal);
  await writeFile(join(folder, 'tomato.png'), await testPicture(1));
  await mkdir(join(folder, 'node_modules'), { recursive: true });

  for (const node of [process.execPath, SYSTEM_NODE]) {
    it(`runs as written on ${node} and enters a project`, { skip: !existsSync(node) }, async () => {
      await symlink(join(ROOT, 'node_modules', 'viem'), join(folder, 'node_modules', 'viem')).catch(() => {});
      const project = await poster.openProject(openBrief);
      assert.ok(code.includes(WRITTEN_URL));
      await writeFile(join(folder, 'first-agent.mjs'), code.replace(WRITTEN_URL, server.url));
      const env = { WALLET_KEY: generatePrivateKey() };
      const { stdout } = await run(node, ['first-agent.mjs'], { cwd: folder, env });
      assert.match(stdout, /status: 'submitted'/);
      assert.equal((await project.poster.project(project.id)).total_submissions, 1);
    });
  }
});
