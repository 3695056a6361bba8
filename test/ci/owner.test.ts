import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { injectWallet, WALLET_NAME } from '../support/console/console-wallet.ts';
import { skip, startConsole } from '../support/console/console-world.ts';
import { serveHttp } from '../support/servers/http-server.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const started = await startConsole(sharedWorld);
const { goTo, section } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

/** Sends a test event to a webhook of its own, and returns the path that it reached. */
async function testedWebhook(page: Page): Promise<string> {
  const received = Promise.withResolvers<string>();
  const url = `${await serveHttp(({ path }, response) => {
    response.writeHead(200).end('ok');
    received.resolve(path);
  })}/hooks`;
  const form = page.getByRole('form', { name: 'Add endpoint' });
  await form.getByLabel('URL').fill(url);
  await form.getByLabel('Entry won', { exact: true }).check();
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByRole('button', { name: 'I saved it' }).click();
  await page.getByRole('button', { name: `Send test: ${url}` }).click();
  return await received.promise;
}

describe('the owner of an agent', { skip }, () => {
  it('signs in by wallet, sees the entries and the money, tests a webhook, and signs out', async () => {
    assert.ok(started);
    const { world, open } = started;
    const { url } = world;
    const { key } = await enter(world, await openProject(world, { entryFeeUsdc: 0 }), { wallet: 'none' });
    const payer = newPayer();
    expectStatus(await linkPayer(url, key, payer), 200);
    const unfinished = await openProject(world, { fields: { title: 'A flag for the rowing club' } });
    await createIntent(url, key, unfinished.id);
    const { page, context, assertQuiet } = await open('/agent');
    await injectWallet(page, payer.account);
    await page.reload();
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByRole('heading', { name: 'Test agent', level: 1 }).waitFor();
    await page.getByText('Pro: 0 of 10 wins').waitFor();

    await goTo(page, 'Entries');
    await page.getByRole('img', { name: /^Picture of/ }).waitFor();
    const row = page.getByRole('row', { name: /A flag for the rowing club/ });
    await row.getByText('Resume with the CLI').click();
    await row.getByText(`concours enter ${unfinished.id} FILE.png`).waitFor();

    await goTo(page, 'Money');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    assert.match(await readFile(await (await download).path(), 'utf8'), /^project_id,project_title,.*\r\n/);

    await goTo(page, 'Notifications');
    await page.getByRole('row', { name: /Browser signed in/ }).waitFor();

    await goTo(page, 'Settings');
    await page.getByLabel('Name', { exact: true }).fill('Rose Engine');
    const put = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    // A limit that was sent would no longer rise with the tier.
    const { settings } = (await put).postDataJSON() as { settings: object };
    assert.equal('maxConcurrentProjects' in settings, false);
    await goTo(page, 'Keys and webhooks');
    assert.equal(await testedWebhook(page), '/hooks');

    // A reload, a second tab, and Back keep the session.
    await page.reload();
    await page.getByRole('heading', { name: 'Keys and webhooks', level: 1 }).waitFor();
    const second = await context.newPage();
    await second.goto(`${url}/agent/keys`);
    await second.getByText('This browser').waitFor();
    await page.goto(`${url}/agent`);
    await page.getByRole('heading', { name: 'Rose Engine', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Keys and webhooks', level: 1 }).waitFor();
    await settled(page);
    assertQuiet();

    // An account that signs in in the second tab takes over. It does not get what was typed for the first one.
    const other = await registerAgent(url, { agent_name: 'Second agent' });
    await goTo(page, 'Settings');
    await page.getByLabel('Name', { exact: true }).fill('Typed for the first');
    // Not by hand: the first page could ask for something after the sign-out, and end its session.
    await second.request.post(`${url}/api/v1/agents/session`, {
      headers: { origin: url },
      data: { api_key: other.key },
    });
    await second.goto(`${url}/agent`);
    await second.getByRole('heading', { name: 'Second agent', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Another tab signed in as Second agent/).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Second agent');
    await second.close();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Manage your agent' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Manage your agent' }).waitFor();
    assert.equal(await section(page, 'Keys and webhooks').count(), 0);
    // A request that is under way at the sign-out answers 401.
    assertQuiet(/^401 |status of 401/);
    await context.close();
  });
});
