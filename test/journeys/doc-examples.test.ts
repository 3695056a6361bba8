import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { freePort } from '../../server/devnet/child-process.ts';
import { type Agent, createAgent, createPoster } from '../../sdk/src/index.ts';
import { type Block, docBlocks, placeOf } from '../support/docs/doc-blocks.ts';
import { brief, createIntent, drawing, openProject } from '../support/clients/journey.ts';
import { sdkFetch } from '../support/sdk/sdk.ts';
import { signedEvent } from '../support/webhooks/signed-event.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// Every program of the guides and of the packages' READMEs runs as written, except for addresses and paths.

const ROOT = join(import.meta.dirname, '..', '..');
const blocks = await docBlocks();

// An own service: an example enters every project that it finds.
const world = await startWorld();
const { url } = world;
const cache = join(ROOT, 'node_modules', '.cache');
await mkdir(cache, { recursive: true });
const folder = await mkdtemp(join(cache, 'concours-examples-'));
const stopped = new AbortController();
const children: ChildProcess[] = [];
after(async () => {
  stopped.abort();
  for (const child of children) child.kill('SIGKILL');
  await removeFolder(folder);
});

const picture = join(folder, 'dawn.png');
await writeFile(picture, await drawing(4));
// The SDK of an example ends with the test.
const sdkUrl = pathToFileURL(join(ROOT, 'sdk', 'src', 'index.ts')).href;
await writeFile(
  join(folder, 'sdk.mjs'),
  `import * as sdk from ${JSON.stringify(sdkUrl)};
export * from ${JSON.stringify(sdkUrl)};
const { signal, fetch } = globalThis.examples;
export const createAgent = (options) => sdk.createAgent({ ...options, signal, fetch });
export const createPoster = (options) => sdk.createPoster({ ...options, signal, fetch });`,
);
Object.assign(globalThis, { examples: { signal: stopped.signal, fetch: sdkFetch } });

const details = {
  agent_name: 'Example',
  description: 'Runs what the documents say.',
  specializations: ['logo-design'],
};

async function newAgent(): Promise<{ agent: Agent; key: string; wallet: `0x${string}` }> {
  const wallet = generatePrivateKey();
  const agent = createAgent({ url, wallet, fetch: sdkFetch });
  const { apiKey: key } = await agent.register(details);
  await agent.faucet(1);
  return { agent, key, wallet };
}

const entered = async (agent: Agent, projectId: string) =>
  (await Array.fromAsync(agent.submissions({ status: 'submitted' }))).some(({ project_id: id }) => id === projectId);

let modules = 0;

/** Runs an example with the variables that it takes for granted. `result`: an expression for what it made. */
async function run(block: Block, given: Record<string, unknown>, result = 'undefined'): Promise<unknown> {
  const imports: string[] = [];
  const body = block.text
    .replaceAll(/^import .*$/gm, (line) => {
      imports.push(line.replace("'@concours/sdk'", "'./sdk.mjs'"));
      return '';
    })
    .replaceAll('https://market.example', url)
    .replaceAll("'dawn.png'", JSON.stringify(picture));
  const names = Object.keys(given);
  // A variable that the example changes is a parameter, which it may change.
  const text = `${imports.join('\n')}\nexport default async ({ ${names.join(', ')} }) => {\n${body}\nreturn ${result};\n};\n`;
  const file = join(folder, `example${(modules += 1)}.mjs`);
  await writeFile(file, text);
  const { default: example } = (await import(pathToFileURL(file).href)) as { default: (given: object) => unknown };
  return await example(given);
}

type Runner = (block: Block) => Promise<unknown>;

/** How each program runs, by a line of it. */
const runners: [string, Runner | string][] = [
  [
    'wallet: process.env.WALLET_KEY });\nawait agent.register',
    'test/wide/packages.test.ts runs it from the packed package',
  ],
  [
    'const entry = await agent.enter(projectId',
    async (block) => {
      const { agent, key, wallet } = await newAgent();
      const { id: projectId } = await openProject(world);
      const process = { env: { CONCOURS_KEY: key, WALLET_KEY: wallet } };
      const entry = (await run(block, { projectId, process }, 'entry')) as { status: string };
      assert.equal(entry.status, 'submitted');
      assert.ok(await entered(agent, projectId));
    },
  ],
  [
    "agent.submissions({ status: 'pending' })",
    async (block) => {
      const { agent, key } = await newAgent();
      const { id } = await openProject(world);
      const crash = new AbortController();
      const onProgress = ({ step }: { step: string }) => void (step === 'uploading' && crash.abort());
      const entry = { title: 'Dawn', file: picture, maxFee: 0.5, signal: crash.signal, onProgress };
      await assert.rejects(agent.enter(id, entry));
      // A newer intent comes first, and its fee is above the maximum.
      const dear = await openProject(world, { prizeUsdc: 2, entryFeeUsdc: 0.75 });
      await createIntent(url, key, dear.id);
      await run(block, { agent, console: { error() {} } });
      assert.ok(await entered(agent, id));
    },
  ],
  [
    'agent.events({ after: lastId })',
    async (block) => {
      const { agent, key } = await newAgent();
      const reader = createAgent({ url, key, fetch: sdkFetch, signal: stopped.signal });
      const seen: string[] = [];
      const console = { log: (...words: unknown[]) => seen.push(words.join(' ')) };
      const noted = {
        async *events(options: object) {
          for await (const event of reader.events(options)) {
            seen.push(event.type);
            yield event;
          }
        },
      };
      const reading = assert.rejects(run(block, { agent: noted, lastId: undefined, console }));
      await agent.keys.create('another', 'read');
      await until('the event', async () => seen.includes('KEY.CREATED'));
      running.push(reading);
    },
  ],
  [
    'createPoster({ url, key, wallet })',
    async (block) => {
      const wallet = generatePrivateKey();
      const poster = createPoster({ url, wallet, fetch: sdkFetch });
      const { apiKey: key } = await poster.register({ poster_name: 'Example' });
      await poster.faucet(25);
      const { title, description, specializations, auto_select_deadline } = brief();
      const draft = (await run(
        block,
        { url, key, wallet, title, description, specializations, auto_select_deadline },
        'draft',
      )) as { id: string };
      assert.equal((await poster.project(draft)).status, 'open');
    },
  ],
  [
    'createClient({ url, key })',
    async (block) => {
      const { key } = await newAgent();
      const given = { url, key, address: 'https://agent.example/events' };
      const webhook = (await run(block, given, 'webhook')) as { types: string[] };
      assert.deepEqual(webhook.types, ['SUBMISSION.WON']);
    },
  ],
  [
    'await verifyWebhook(secret',
    async (block) => {
      const { verifyWebhook } = await import('../../sdk/src/index.ts');
      const { secret, headers, body } = signedEvent();
      const given = { verifyWebhook, secret, request: { headers }, body };
      assert.deepEqual(await run(block, given, 'event'), JSON.parse(body));
    },
  ],
  [
    'follow: true }))',
    async (block) => {
      const { agent, key, wallet } = await newAgent();
      const { id } = await openProject(world);
      running.push(assert.rejects(run(block, { url, key, wallet })));
      await until('the entry', () => entered(agent, id));
    },
  ],
  [
    'new ExactEvmScheme(account)',
    async (block) => {
      const account = privateKeyToAccount(generatePrivateKey());
      assert.equal(typeof (await run(block, { account, fetch: globalThis.fetch }, 'pay')), 'function');
    },
  ],
  [
    "request.headers['service-signature']",
    async (block) => {
      const port = await freePort();
      const file = join(folder, 'receiver.mjs');
      await writeFile(file, block.text.replace('.listen(8080)', `.listen(${port})`));
      const { secret, headers, body } = signedEvent();
      const receiver = spawn(process.execPath, [file], { env: { ...process.env, WEBHOOK_SECRET: secret } });
      children.push(receiver);
      let output = '';
      receiver.stdout.on('data', (data) => (output += String(data)));
      const post = async (changed: string, signed = headers) =>
        (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers: signed, body: changed }).catch(() => null))
          ?.status;
      await until('the receiver', async () => (await post(body)) === 200);
      assert.equal(await post(`${body} `), 401);
      const aborted = connect(port, '127.0.0.1').end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf');
      await once(aborted.resume(), 'close');
      const tested = signedEvent({ event: 'TEST', data: { webhook_id: 'w', message: 'Hello.' } });
      assert.equal(await post(tested.body, tested.headers), 200, 'it has survived the aborted request');
      await until('its output', async () => output.includes('PROJECT.OPEN') && output.includes('TEST'));
      assert.equal(await post(body), 200, 'it has survived an event without a project');
    },
  ],
];
/** Endless examples, which end with the test. */
const running: Promise<void>[] = [];

describe('a program of the documents', () => {
  for (const block of blocks.filter(({ language }) => ['js', 'ts', 'sh'].includes(language))) {
    if (block.language === 'sh') continue; // test/wide/packages.test.ts runs the commands in a shell.
    const [, runner] = runners.find(([part]) => block.text.includes(part)) ?? [];
    it(`${placeOf(block)} ${typeof runner === 'string' ? `has a test: ${runner}` : 'runs'}`, async () => {
      assert.ok(runner, 'a new example needs a runner');
      if (typeof runner !== 'string') await runner(block);
    });
  }

  it('ends', async () => {
    stopped.abort();
    await Promise.all(running);
  });
});
