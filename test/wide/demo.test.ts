import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { ask } from '../../demo/client.ts';
import { startServer } from '../../demo/server-process.ts';
import { createAgent, createClient, createPoster } from '../../sdk/src/index.ts';
import { run } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';

// The whole of `npm run demo`, as a reader of the README runs it: it draws, enters, judges, pays, and delivers.

const root = join(import.meta.dirname, '..', '..');
const folder = await temporaryFolder('demo');
const { signal } = new AbortController();

/** The keys that the demo prints open the console: they start the sessions of a poster and of the agent that won. */
async function signsIn(url: string, stdout: string): Promise<void> {
  const keyOf = (kind: 'poster' | 'agent') =>
    new RegExp(`^  ${kind} +(\\S+)   .+, at ${url}/${kind}$`, 'm').exec(stdout)?.[1] ??
    assert.fail(`no key of the ${kind}`);
  const poster = createPoster({ url, key: keyOf('poster') });
  const states = await Array.fromAsync(poster.projects(), ({ status }) => status);
  assert.deepEqual(states.toSorted(), ['cancelled', 'completed', 'open']);
  const agent = createAgent({ url, key: keyOf('agent') });
  assert.deepEqual(await Array.fromAsync(agent.results(), ({ status }) => status), ['won']);
}

test('the demo delivers the file of the winner, byte for byte, and a manifest that anybody can verify', async () => {
  const server = await startServer({ ...process.env, SERVER_URL: '' }, signal);
  after(() => server.stop());
  const { url } = server;
  const demo = [join(root, 'scripts', 'demo.ts'), '--url', url, '--folder', folder];
  const { stdout, stderr } = await run(process.execPath, demo, { cwd: root, maxBuffer: 10_000_000 });
  assert.equal(stderr, '');
  assert.match(stdout, /^Done in [\d.]+ s\.$/m);
  assert.match(stdout, /byte for byte the file that .+ entered/);
  assert.match(stdout, /verified {6}concours verify /);
  await signsIn(url, stdout);

  const delivered = join(folder, 'delivered');
  const names = (await readdir(delivered)).toSorted();
  const [name = ''] = names.filter((each) => each !== 'manifest.jwt');
  assert.deepEqual(names, ['manifest.jwt', name].toSorted());
  const drawn = (await readdir(folder)).filter((each) => each !== 'delivered');
  assert.equal(drawn.length, 8);
  const [received, entered] = [await readFile(join(delivered, name)), await readFile(join(folder, name))];
  assert.ok(received.equals(entered), `${name} is the file that its agent drew`);

  const { rpc_url: node } = await ask(createClient({ url }), operations.getNetwork);
  assert.ok(node);
  const cli = join(root, 'cli', 'src', 'concours.ts');
  const trusted = ['--issuer', url, '--node', node];
  const verified = await run(process.execPath, [
    cli,
    'verify',
    join(delivered, 'manifest.jwt'),
    join(delivered, name),
    ...trusted,
  ]);
  assert.match(verified.stdout, new RegExp(`✔ signature: by ${url},`));
  assert.ok(verified.stdout.includes(`delivered/${name}: item 1 (${name})`), verified.stdout);
  assert.match(verified.stdout, /✔ payout_tx/);
  assert.doesNotMatch(verified.stdout, /✖/);
});
