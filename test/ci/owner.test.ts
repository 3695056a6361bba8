import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { owner as words } from '../../console/messages/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { createIntent, expectStatus, openProject } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { injectWallet, WALLET_NAME } from '../support/console/console-wallet.ts';
import { type OpenPage, startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';

const consoleWorld = await startConsoleWorld({
  env: {
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_SIGN_INS_PER_HOUR: '1000',
  },
});
const { signIn, goTo, section } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

/** Acts that need the scope `owner`: the section and the button. */
const OWNER_ACTS = [
  ['Settings', 'Save'],
  ['Money', 'Save budget'],
  ['New briefs', 'Register'],
  ['Notifications', 'Add endpoint'],
] as const;

async function receiver(): Promise<{ url: string; received: () => number }> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(200).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received: () => received };
}

async function look({ shoot, assertAccessible, page }: OpenPage, name: string): Promise<void> {
  await settled(page);
  await shoot(name);
  await assertAccessible();
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  assert.ok(Number(overflow) <= 0, name);
}

async function testWebhook(page: Page): Promise<void> {
  const hook = await receiver();
  const form = page.getByRole('form', { name: 'Add endpoint' });
  await form.getByLabel('URL').fill(hook.url);
  await form.getByLabel('Entry won', { exact: true }).check();
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('button', { name: 'I saved it' }).click();
  await page.getByLabel(`Event to test ${hook.url} with`).selectOption('Entry won');
  await page.getByRole('button', { name: `Send test: ${hook.url}` }).click();
  await until('the sample', async () => hook.received() === 1);
}

describe('the owner of an agent in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url } = world;

  /** An agent with a proven wallet, a confirmed entry, and an unfinished one. */
  async function ownedAgent() {
    const entrant = await enter(world, await openProject(world, { entryFeeUsdc: 0 }), { wallet: 'none' });
    const payer = newPayer();
    expectStatus(await linkPayer(url, entrant.key, payer), 200);
    const unfinished = await openProject(world, { fields: { title: 'A flag for the rowing club' } });
    await createIntent(url, entrant.key, unfinished.id);
    const { agent } = (await call(url, 'GET', '/agents/me', { key: entrant.key })).body.data;
    return { key: entrant.key, name: agent.name as string, payer, unfinished };
  }

  for (const view of Object.keys(views) as View[])
    it(`${view}: signs in by wallet, sees unfinished entries, sets a budget, and tests a webhook`, async () => {
      const { key, name, payer, unfinished } = await ownedAgent();
      const opened = await open('/agent', view);
      const { page, context, assertQuiet } = opened;
      await injectWallet(page, payer.account);
      await page.reload();
      await page.getByRole('button', { name: WALLET_NAME }).waitFor();
      await look(opened, `owner-sign-in-${view}`);
      await page.getByRole('button', { name: WALLET_NAME }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByText('Pro: 0 of 10 wins').waitFor();
      await look(opened, `owner-profile-${view}`);

      await goTo(page, 'Submissions');
      await page.getByRole('img', { name: /^Picture of/ }).waitFor();
      const row = page.getByRole('row', { name: /A flag for the rowing club/ });
      await row.getByText('Resume with the CLI').click();
      await row.getByText(`concours enter ${unfinished.id} FILE.png`).waitFor();
      await look(opened, `owner-entries-${view}`);

      await goTo(page, 'Money');
      await page.getByLabel('Highest fee per entry').fill('0.5');
      await page.getByRole('button', { name: 'Save budget' }).click();
      await page.getByText('Budget saved.').waitFor();
      assert.equal((await call(url, 'GET', '/agents/me', { key })).body.data.budget.per_entry, 0.5);
      await look(opened, `owner-money-${view}`);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const csv = await readFile(await (await download).path(), 'utf8');
      assert.match(csv, /^project_id,project_title,.*\r\n/);

      await goTo(page, 'Notifications');
      await page.getByRole('row', { name: /Browser signed in/ }).waitFor();
      if (view === 'light') await testWebhook(page);

      // A reload, a second tab, and Back keep the session.
      await page.reload();
      await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
      const second = await context.newPage();
      await second.goto(`${url}/agent/keys`);
      await second.getByText('This browser').waitFor();
      await second.close();
      await goTo(page, 'Keys');
      await look(opened, `owner-keys-${view}`);
      await page.goBack();
      await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
      // Without a mail server, the service answers 409.
      assertQuiet(/409/);

      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Manage your agent' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'Manage your agent' }).waitFor();
      assert.equal(await section(page, 'Keys').count(), 0);
      // A request that is under way at the sign-out answers 401.
      assertQuiet(/^401 |status of 401|409/);
      await context.close();
    });

  it('a session of a lesser key says what it cannot do, and offers only what it can', async () => {
    const { key, name } = await ownedAgent();
    for (const scope of ['read', 'enter'] as const) {
      const made = await call(url, 'POST', '/agents/me/keys', { key, body: { name: 'Dashboard', scope } });
      const opened = await open('/agent');
      const { page, context, assertQuiet } = opened;
      await signIn(page, expectStatus(made, 201).body.data.apiKey, name);
      await page.getByText(words.readOnly[scope].title).waitFor();
      await look(opened, `owner-scope-${scope}`);
      await goTo(page, 'Submissions');
      const row = page.getByRole('row', { name: /A flag for the rowing club/ });
      assert.equal(await row.getByRole('button', { name: /^Delete/ }).isDisabled(), scope === 'read');
      for (const [place, button] of OWNER_ACTS) {
        await goTo(page, place);
        await page.getByText(words.readOnly[scope].title).waitFor();
        assert.ok(await page.getByRole('button', { name: button, exact: true }).isDisabled(), button);
      }
      await goTo(page, 'Wallet');
      assert.ok(await page.getByRole('button', { name: 'Test wallet' }).isDisabled());
      await goTo(page, 'Keys');
      await page
        .getByRole('row', { name: /Dashboard/ })
        .first()
        .waitFor();
      assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0);
      assertQuiet();
      await context.close();
    }
  });
});
