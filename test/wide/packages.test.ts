import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { openProject, testPicture } from '../support/clients/journey.ts';
import { run } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Both packages as their users get them: packed, and installed from a registry into an empty folder. The examples of both
// READMEs run there as written, except for the address of the service.

const ROOT = join(import.meta.dirname, '..', '..');
const WRITTEN_URL = 'http://127.0.0.1:4020';
/** The Node of the system, which may be as old as the oldest one that the packages support. */
const SYSTEM_NODE = '/usr/bin';

const world = await startWorld();
const folder = await temporaryFolder('packages');

const packed = await Promise.all(['sdk', 'cli'].map(pack));
await run('npm', ['init', '--yes'], { cwd: folder });
await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...packed.map(({ file }) => file)], {
  cwd: folder,
});
await writeFile(join(folder, 'tomato.png'), await testPicture(1));

type Pack = { filename: string; version: string; files: { path: string }[] };

async function pack(name: string): Promise<Pack & { file: string }> {
  const { stdout } = await run('npm', ['pack', `./${name}`, '--json', '--pack-destination', folder], { cwd: ROOT });
  // npm prints what `prepack` prints before its own JSON.
  const [info] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [Pack];
  return { ...info, file: join(folder, info.filename) };
}

async function exampleIn(readme: string, language: string): Promise<string> {
  const text = await readFile(join(ROOT, readme), 'utf8');
  const code =
    new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(text)?.[1] ?? assert.fail(`no ${language} in ${readme}`);
  assert.ok(code.includes(WRITTEN_URL));
  return code.replace(WRITTEN_URL, world.url);
}

/** The environment of a user who has this Node and the installed commands. */
function userEnv(node: string, variables: Record<string, string> = {}) {
  const bin = join(folder, 'node_modules', '.bin');
  return { PATH: [bin, node, '/usr/bin', '/bin'].join(delimiter), HOME: folder, ...variables };
}

const nodes = [join(process.execPath, '..'), ...(existsSync(join(SYSTEM_NODE, 'node')) ? [SYSTEM_NODE] : [])];

describe('the packed packages', () => {
  it('have the version of the service, and only compiled files', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    for (const each of packed) {
      assert.equal(each.version, version);
      const others = each.files.map(({ path }) => path).filter((path) => !/^dist\/[\w/-]+\.(?:js|d\.ts)$/.test(path));
      assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json']);
    }
    const { stdout } = await run('concours', ['--version'], { env: userEnv(nodes[0] ?? '') });
    assert.equal(stdout.trim(), version);
  });

  it('have a library without any other package, whose types compile strictly without the contract', async () => {
    const installed = await readFile(join(folder, 'node_modules', '@concours', 'sdk', 'package.json'), 'utf8');
    assert.equal((JSON.parse(installed) as { dependencies?: object }).dependencies, undefined);
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
    // Without skipLibCheck, so that the declarations of the package are checked, too.
    const options = '--strict --noEmit --module nodenext --target es2022 --lib es2022,dom,dom.iterable'.split(' ');
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const done = await run(tsc, [...options, 'consumer.mts'], { cwd: folder }).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(done.stdout, '');
  });

  it('have types that each way of resolving modules finds', async () => {
    const attw = join(ROOT, 'test', 'generated-clients', 'node_modules', '.bin', 'attw');
    const [sdk] = packed;
    // The package has ES modules only, by design: CommonJS imports it dynamically, or by the `require` of Node 22.
    await run(process.execPath, [attw, sdk?.file ?? '', '--ignore-rules', 'cjs-resolves-to-esm'], { env: userEnv('') });
  });

  for (const node of nodes) {
    it(`run the first agent of the README on ${node}`, async () => {
      const project = await openProject(world);
      await writeFile(join(folder, 'first-agent.mjs'), await exampleIn('README.md', 'js'));
      const key = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}`;
      const env = userEnv(node, { WALLET_KEY: key });
      const { stdout } = await run(join(node, 'node'), ['first-agent.mjs'], { cwd: folder, env });
      assert.match(stdout, new RegExp(project.id));
      assert.match(stdout, /status: 'submitted'/);
    });

    it(`run the first commands of the command line on ${node}`, async () => {
      const project = await openProject(world);
      const script = await exampleIn('cli/README.md', 'sh');
      const env = userEnv(node, { PROJECT: project.id, XDG_CONFIG_HOME: await mkdtemp(join(folder, 'config-')) });
      const { stdout } = await run('bash', ['--norc', '-eo', 'pipefail', '-c', script], { cwd: folder, env });
      assert.match(stdout, new RegExp(`^${project.id} +1\\.00 +0\\.25`, 'm'));
      assert.match(stdout, /^status +submitted$/m);
      const own = await run('concours', ['entries', '--json'], { cwd: folder, env });
      assert.equal((JSON.parse(own.stdout) as unknown[]).length, 1);
    });
  }
});
