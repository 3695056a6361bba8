import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { entering as words } from '../../console/messages/public.ts';
import { drawing, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { javascriptText } from '../../console/entering/snippets.ts';
import { call, fund } from '../support/clients/client.ts';
import { startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';

// How an owner gets an agent into a brief. Each example of the page runs as it stands, with picture.png in its folder.

const ROOT = join(import.meta.dirname, '..', '..');
const FEE = 0.25;
const consoleWorld = await startConsoleWorld();
const everyView = Object.keys(views) as View[];

const cache = join(ROOT, 'node_modules', '.cache');
await mkdir(cache, { recursive: true });
const folder = await mkdtemp(join(cache, 'concours-entering-'));
after(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'picture.png'), await drawing(4));
await installPackages();

/** Puts the SDK and the command where npm would put them. */
async function installPackages(): Promise<void> {
  const sdk = join(folder, 'node_modules', '@concours', 'sdk');
  await mkdir(sdk, { recursive: true });
  await writeFile(
    join(sdk, 'package.json'),
    JSON.stringify({ name: '@concours/sdk', type: 'module', exports: './index.js' }),
  );
  const source = pathToFileURL(join(ROOT, 'sdk', 'src', 'index.ts')).href;
  await writeFile(join(sdk, 'index.js'), `export * from ${JSON.stringify(source)};`);
  const command = join(folder, 'concours');
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'cli', 'src', 'concours.ts')}" "$@"\n`);
  await chmod(command, 0o755);
}

/** Runs a program in the folder of the picture, and returns what it prints. */
async function run(program: string, args: string[], variables: Record<string, string> = {}): Promise<string> {
  const env = {
    ...process.env,
    ...variables,
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
  const child = spawn(program, args, { cwd: folder, env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(status, 0, printed);
  return printed;
}

describe('the ways in', { skip }, () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;

  for (const view of everyView) {
    it(`${view}: a visitor finds both within two clicks`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/', view);
      await page.getByText('Test network, no real money').waitFor();
      await shoot(`first-sight-empty-${view}`);
      await assertAccessible();
      for (const [link, heading] of [
        ['Post a brief', /post a brief/i],
        ['Enter with your agent', /Enter with your agent/],
      ] as const) {
        await page.goto(world.url);
        await page.locator('main').getByRole('link', { name: link }).click();
        await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      }
      assert.equal(
        await page
          .locator('header')
          .getByRole('link', { name: /Operator/ })
          .count(),
        0,
      );
      assertQuiet();
      await context.close();
    });
  }

  it('phone: everything is in the menu, which closes by Escape and by a link', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/leaderboard', 'phone');
    const button = page.getByRole('button', { name: 'Menu' });
    await button.click();
    const menu = page.getByRole('navigation', { name: 'Main' });
    const names = await menu.getByRole('link').allTextContents();
    assert.deepEqual(names, ['Market', 'Post a brief', 'Enter with your agent', 'Your agent', 'Leaderboard']);
    await shoot('menu-phone', 'window');
    await assertAccessible();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await button.click();
    await menu.getByRole('link', { name: 'Enter with your agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Enter with your agent' }).waitFor();
    await menu.waitFor({ state: 'hidden' });
    assertQuiet();
    await context.close();
  });
});

describe('an owner on an open brief', { skip }, () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url } = world;

  for (const view of everyView) {
    it(`${view}: gets from the brief to the examples, which name it`, async () => {
      const project = await openProject(world, { entryFeeUsdc: FEE, fields: { title: 'W'.repeat(100) } });
      const opened = await consoleWorld.open(`/projects/${project.id}`, view);
      const { page, context, assertQuiet, assertAccessible, shoot } = opened;
      const prompt = page.getByRole('group', { name: 'prompt' });
      assert.match((await prompt.textContent()) ?? '', new RegExp(`${url}/skill\\.md .*${project.id}`));
      await shoot(`enter-panel-${view}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'no overflow');
      await page.getByRole('link', { name: 'All ways to enter' }).click();
      await page.getByRole('heading', { level: 1, name: 'Enter with your agent' }).waitFor();
      await page.getByText('The examples enter this brief:').waitFor();
      assert.match((await prompt.textContent()) ?? '', new RegExp(project.id));
      await page.waitForLoadState('networkidle');
      await shoot(`entering-${view}`);
      await assertAccessible();
      assertQuiet();
      await context.close();
    });
  }

  it('runs each tab as it stands', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE });
    const { page, context, assertQuiet } = await consoleWorld.open(`/agents/start?brief=${project.id}`);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    /** Copies a tab with one click. */
    const copied = async (tab: string) => {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('button', { name: `Copy ${tab}` }).click();
      await page.getByText('Copied').first().waitFor();
      return await page.evaluate<string>('navigator.clipboard.readText()');
    };
    const entries = async () =>
      expectStatus(await call(url, 'GET', `/projects/${project.id}`), 200).body.data.project
        .total_submissions as number;

    const script = join(folder, 'enter.sh');
    await writeFile(script, await copied('curl'));
    const printed = await run('sh', [script]);
    assert.match(printed, /Store this key: ck_test_/);
    assert.match(printed, /Your entry: [0-9a-f-]{36}/);
    assert.match(printed, /"code":"PAYMENT_REQUIRED"/);

    const program = join(folder, 'enter.mjs');
    await writeFile(program, await copied('JavaScript'));
    assert.match(await run(process.execPath, [program]), /Entered: [0-9a-f-]{36} submitted/);
    assert.equal(await entries(), 1);

    const commands = join(folder, 'commands.sh');
    await writeFile(commands, await copied('Command line'));
    await run('sh', ['-e', commands]);
    assert.equal(await entries(), 2);

    const config = JSON.parse(await copied('MCP')) as { mcpServers: { concours: { type: string; url: string } } };
    const client = new Client({ name: 'owner', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(config.mcpServers.concours.url)));
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'register_agent'));
    await client.close();
    assertQuiet();
    await context.close();
  });

  for (const registered of [false, true])
    for (const faucet of [false, true])
      it(`runs the JavaScript example ${registered ? 'with' : 'without'} a key, ${faucet ? 'with' : 'without'} a faucet`, async () => {
        const project = await openProject(world, { entryFeeUsdc: FEE });
        const key = registered ? (await registerAgent(url)).key : null;
        const facts = { url, projectId: project.id, fee: String(FEE), specialization: 'illustration', key, faucet };
        const program = join(folder, `enter-${registered}-${faucet}.mjs`);
        await writeFile(program, javascriptText(facts));
        const printed = await run(process.execPath, [program]);
        const [, wallet = '', address = ''] =
          /key: '(0x[0-9a-f]{64})',\s+address: '(0x[0-9a-fA-F]{40})'/.exec(printed) ?? [];
        assert.notEqual(wallet, '', printed);
        let entered = printed;
        if (!faucet) {
          assert.match(printed, /Send USDC for the entry fee to this address/);
          assert.doesNotMatch(printed, /Entered|API key/);
          await fund(url, address, 1);
          entered = await run(process.execPath, [program], { WALLET_KEY: wallet });
          assert.ok(entered.includes(address));
        }
        assert.match(entered, /Entered: [0-9a-f-]{36} submitted/);
        assert.equal(/Keep the API key: ck_test_/.test(entered), !registered);
      });

  it('finds the newest brief that takes entries: not a full one, and not one that closes early', async () => {
    const newest = await openProject(world, { fields: { title: 'Takes entries' } });
    const full = await openProject(world, { fields: { max_entries: 2, title: 'Full' } });
    const closing = await openProject(world, { fields: { title: 'Closes early' } });
    const { db } = world.service.deps;
    await db`update projects set places_taken = 2 where id = ${full.id}`;
    await db`update projects set closes_at = ${new Date(Date.now() + 600_000)} where id = ${closing.id}`;
    const { page, context } = await consoleWorld.open('/agents/start');
    await page.getByRole('link', { name: 'Takes entries' }).waitFor();
    assert.match((await page.getByRole('group', { name: 'prompt' }).textContent()) ?? '', new RegExp(newest.id));
    await context.close();
  });

  it('reads that the brief of the address is unknown, and finds the open ones', async () => {
    const { page, context } = await consoleWorld.open('/agents/start?brief=01a1fd68-1a1d-7b89-b14d-8a21a36746c2');
    const unknown = page.getByRole('alert').filter({ hasText: words.brief.unknown });
    await unknown.getByRole('link', { name: words.brief.change }).click();
    await page.waitForURL(/\/#briefs$/);
    await context.close();
  });

  it('registers in the browser, sees the key once, and gets a test wallet', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE });
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(
      `/agents/start?brief=${project.id}`,
    );
    await page.getByLabel('Name of the agent').fill('Ferrous Bloom');
    await page.getByLabel(/What it does/).fill('Draws what is asked for, in rust and gold.');
    await page.getByRole('button', { name: 'Register agent' }).click();
    const key = (await page.getByRole('group', { name: 'API key', exact: true }).textContent()) ?? '';
    expectStatus(await call(url, 'GET', '/agents/me', { key }), 200);
    await page.getByRole('tab', { name: 'MCP' }).click();
    const config = (await page.getByRole('tabpanel').textContent()) ?? '';
    assert.ok(config.includes(`Bearer ${key}`));
    await page.getByRole('button', { name: 'Create a test wallet' }).click();
    await page.getByText('5 test USDC are in the wallet.').waitFor();
    await page.getByText(words.wallet.use).waitFor();
    await shoot('entering-registered');
    await assertAccessible();
    assertQuiet();
    await page.reload();
    await page.getByRole('button', { name: 'Register agent' }).waitFor();
    assert.ok(!((await page.locator('body').textContent()) ?? '').includes(key));
    await context.close();
  });

  it('a double click registers one agent and makes one wallet, and a lost answer is repeated', async () => {
    const { page, context } = await consoleWorld.open('/agents/start');
    const sent = new Map<string, string[]>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() !== 'POST') return;
      sent.set(pathname, [...(sent.get(pathname) ?? []), request.headers()['idempotency-key'] ?? '']);
    });
    const clickTwice = async (name: string) =>
      await page.evaluate(`{
        const button = [...document.querySelectorAll('button')].find((each) => each.textContent === '${name}');
        button.click();
        button.click();
      }`);
    await page.getByLabel('Name of the agent').fill('Twice Bloom');
    await page.getByLabel(/What it does/).fill('Draws what is asked for, in rust and gold.');
    // The service registers the agent, and the page gets no answer.
    await page.route('**/agents/create', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await clickTwice('Register agent');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/agents/create');
    await clickTwice('Register agent');
    const key = (await page.getByRole('group', { name: 'API key', exact: true }).textContent()) ?? '';
    expectStatus(await call(url, 'GET', '/agents/me', { key }), 200);
    const registrations = sent.get('/api/v1/agents/create') ?? [];
    assert.deepEqual([registrations.length, new Set(registrations).size], [2, 1]);
    const agents = await world.service.deps.db`select 1 from agents where name = 'Twice Bloom'`;
    assert.equal(agents.length, 1);
    await clickTwice('Create a test wallet');
    await page.getByText('5 test USDC are in the wallet.').waitFor();
    assert.equal(sent.get('/api/v1/dev/faucet')?.length, 1);
    await context.close();
  });

  it('reads a refusal of the form', async () => {
    const { page, context } = await consoleWorld.open('/agents/start');
    await page.getByLabel('Name of the agent').fill('   ');
    await page.getByLabel(/What it does/).fill(' '.repeat(30));
    await page.getByRole('button', { name: 'Register agent' }).click();
    await page.getByRole('alert').getByText('The request was rejected').waitFor();
    await context.close();
  });
});
