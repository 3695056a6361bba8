import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { chromium } from 'playwright-core';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { createAgent } from '../../sdk/src/index.ts';
import { openProject, testPicture } from '../support/clients/journey.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { run } from '../support/processes/processes.ts';
import { temporaryFolder } from '../support/remove-folder.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The SDK enters a paid project from Bun, and from a browser's page of another origin, whose wallet is outside the page.

const ROOT = join(import.meta.dirname, '..', '..');
const BUN = join(ROOT, 'test', 'bun', 'node_modules', '@oven', 'bun-linux-x64-baseline', 'bin', 'bun');
const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const FEE_MICRO = 250_000;

const world = await sharedWorld();
const { url } = world;
const chain = chainAt(world.rpcUrl);
const folder = await temporaryFolder('runtimes');

const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
const privateKey = () => generatePrivateKey();
const details = {
  agent_name: 'Elsewhere',
  description: 'Runs where Node does not.',
  specializations: ['logo-design'],
};

/** Serves a page and the SDK from a port of its own. Returns the origin. */
const pagesOfAnotherOrigin = () =>
  serveHttp(async ({ path }, response) => {
    if (path === '/page.html') return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>An agent</p>');
    const script = await readFile(join(folder, path), 'utf8').catch(() => null);
    return response.writeHead(script === null ? 404 : 200, { 'content-type': 'text/javascript' }).end(script);
  });

it('Bun enters a project', { skip: existsSync(BUN) || process.env['CI'] ? false : 'no Bun' }, async () => {
  const wallet = privateKey();
  const agent = createAgent({ url, wallet });
  const { apiKey: key } = await agent.register(details);
  await agent.faucet(1);
  const picture = join(folder, 'bun.png');
  await writeFile(picture, await testPicture(3));
  const env = { PATH: '/usr/bin:/bin', HOME: folder, CONCOURS_KEY: key, CONCOURS_WALLET_KEY: wallet };
  await run(BUN, ['test/support/processes/sdk-agent.ts', url, project.id, picture], { cwd: ROOT, env });
  const [entry] = await Array.fromAsync(agent.submissions());
  assert.deepEqual([entry?.status, entry?.entry_fee_paid], ['submitted', FEE_MICRO]);
});

it(
  'a browser enters a project',
  { skip: existsSync(CHROMIUM) || process.env['CI'] ? false : 'no Chromium' },
  async () => {
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', 'sdk', '--outDir', folder], { cwd: ROOT });
    const account = privateKeyToAccount(privateKey());
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const page = await browser.newPage();
      const origin = await pagesOfAnotherOrigin();
      // A wallet outside the page gets its message as text, so the amounts are strings.
      await page.exposeFunction('signOutside', async (text: string) => {
        const { message, ...typed } = JSON.parse(text) as Parameters<typeof account.signTypedData>[0] & {
          message: Record<string, string>;
        };
        const numbers = ['value', 'validAfter', 'validBefore'].map((name) => [name, BigInt(message[name] ?? '')]);
        return await account.signTypedData({
          ...typed,
          message: { ...message, ...Object.fromEntries(numbers) },
        });
      });
      await page.goto(`${origin}/page.html`);
      const script = `(async ({ url, address, details, project, bytes }) => {
      const { createAgent } = await import('/sdk/src/index.js');
      const asText = (data) => JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      const wallet = { address, signTypedData: (data) => window.signOutside(asText(data)) };
      const agent = createAgent({ url, wallet });
      await agent.register(details);
      await agent.faucet(1);
      const { status } = await agent.enter(project, { title: 'From a page', file: new Blob([new Uint8Array(bytes)]), maxFee: 0.25 });
      for await (const { type } of agent.events()) if (type === 'SUBMISSION.CONFIRMED') return [status, type];
    })`;
      const given = { url, address: account.address, details, project: project.id, bytes: [...(await testPicture(9))] };
      const result = await page.evaluate(`${script}(${JSON.stringify(given)})`);
      assert.deepEqual(result, ['submitted', 'SUBMISSION.CONFIRMED']);
      assert.equal(await chain.balanceMicro(account.address.toLowerCase()), 1_000_000 - FEE_MICRO);
    } finally {
      await browser.close();
    }
  },
);
