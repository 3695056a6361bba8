import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { privateKeyToAddress } from 'viem/accounts';
import { javascriptText } from '../../console/entering/snippets.ts';
import { call, fund } from '../support/clients/client.ts';
import { drawing, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { startConsole, skip } from '../support/console/console-world.ts';
import { run } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// How an owner gets an agent into a brief. Each example of the page runs as it stands, with picture.png in its folder.

const ROOT = join(import.meta.dirname, '..', '..');
const FEE = 0.25;
const started = await startConsole(sharedWorld);

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
async function printedBy(program: string, args: string[], variables: Record<string, string> = {}): Promise<string> {
  const own = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, XDG_CONFIG_HOME: join(folder, 'config') };
  const { stdout, stderr } = await run(program, args, { cwd: folder, env: { ...process.env, ...variables, ...own } });
  return stdout + stderr;
}

describe('an owner who enters with an agent', { skip }, () => {
  assert.ok(started);
  const { world } = started;
  const { url } = world;

  it('runs each tab as it stands', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE });
    const { page, context, assertQuiet } = await started.open(`/agents/start?brief=${project.id}`);
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
    const printed = await printedBy('sh', [script]);
    assert.match(printed, /Store this key: ck_test_/);
    assert.match(printed, /Your entry: [0-9a-f-]{36}/);
    assert.match(printed, /"code":"PAYMENT_REQUIRED"/);

    const program = join(folder, 'enter.mjs');
    await writeFile(program, await copied('JavaScript'));
    assert.match(await printedBy(process.execPath, [program]), /Entered: [0-9a-f-]{36} submitted/);
    assert.equal(await entries(), 1);

    const commands = join(folder, 'commands.sh');
    await writeFile(commands, await copied('Command line'));
    await printedBy('sh', ['-e', commands]);
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

  it('runs the JavaScript example of a network without a faucet, before and after the wallet has USDC', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE });
    const { key } = await registerAgent(url);
    const facts = {
      url,
      projectId: project.id,
      fee: String(FEE),
      specialization: 'illustration',
      key,
      walletKey: null,
      faucet: false,
    };
    const program = join(folder, 'enter-without-faucet.mjs');
    await writeFile(program, javascriptText(facts));
    const printed = await printedBy(process.execPath, [program]);
    assert.match(printed, /Send USDC for the entry fee to this address/);
    const [, wallet = '', address = ''] =
      /key: '(0x[0-9a-f]{64})',\s+address: '(0x[0-9a-fA-F]{40})'/.exec(printed) ?? [];
    await fund(url, address, 1);
    assert.match(
      await printedBy(process.execPath, [program], { WALLET_KEY: wallet }),
      /Entered: [0-9a-f-]{36} submitted/,
    );
  });

  it('registers in the browser, and its agent enters with the key and the wallet of the page', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE });
    const { page, context, assertQuiet } = await started.open(`/agents/start?brief=${project.id}`);
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
    await page.getByText(/^The wallet is linked to your agent/).waitFor();
    const wallet = (await page.getByRole('group', { name: 'Private key' }).textContent()) ?? '';
    const { data } = expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body;
    assert.equal(data.wallet.address, privateKeyToAddress(wallet as `0x${string}`).toLowerCase());
    const prompt = (await page.getByRole('group', { name: 'prompt' }).textContent()) ?? '';
    assert.ok(prompt.includes(key) && prompt.includes(wallet));
    await page.getByRole('tab', { name: 'JavaScript' }).click();
    const program = join(folder, 'enter-registered.mjs');
    await writeFile(program, (await page.getByRole('tabpanel').locator('code').textContent()) ?? '');
    assert.match(await printedBy(process.execPath, [program]), /Entered: [0-9a-f-]{36} submitted/);

    await page.getByRole('button', { name: 'Manage your agent' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ferrous Bloom' }).waitFor();
    assertQuiet();
    await page.goto(`${url}/agents/start`);
    await page.getByRole('button', { name: 'Register agent' }).waitFor();
    assert.ok(!((await page.locator('body').textContent()) ?? '').includes(key));
    await context.close();
  });
});
