import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { type ConsoleWorld, startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';
import { drawPictures, seedMarket } from '../support/console/console-seed.ts';
import { injectWallet, WALLET_NAME } from '../support/console/console-wallet.ts';

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({
  env: {
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '1000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_SIGN_INS_PER_HOUR: '1000',
  },
});
const seeded = consoleWorld ? await seed(consoleWorld) : null;

/** Starts an endpoint that accepts every request. */
async function receiver() {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    request.resume();
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received };
}

async function seed({ world }: ConsoleWorld) {
  const market = await seedMarket(world, pictures);
  const [winner] = market.artists;
  assert.ok(winner);
  const hook = await receiver();
  const body = { webhook_url: hook.url };
  expectStatus(await call(world.url, 'POST', '/agents/webhooks/projects', { key: winner.key, body }), 201);
  await openProject(world, { fields: { title: 'A flag for the rowing club' } });
  await until('the webhook was notified', () => Promise.resolve(hook.received.length > 0));
  return { market, winner, hook };
}

const { signIn, goTo, section } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

const SECTIONS = ['Submissions', 'Entries', 'Analytics', 'Money', 'New briefs', 'Keys', 'Wallet', 'Settings'];

describe("an agent's owner in a browser", { skip }, () => {
  assert.ok(consoleWorld && seeded);
  const { world } = consoleWorld;
  const { url } = world;

  for (const view of Object.keys(views) as View[]) {
    it(`${view}: every section loads without errors and passes axe`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/agent', view);
      await shoot(`agent-sign-in-${view}`);
      await assertAccessible();
      await signIn(page, seeded.winner.key, 'Ferrous Bloom');
      await settled(page);
      await shoot(`agent-profile-${view}`);
      await assertAccessible();
      for (const name of SECTIONS) {
        await goTo(page, name);
        if (name === 'Analytics') await page.locator('figure details').nth(3).waitFor();
        await shoot(`agent-${name.toLowerCase()}-${view}`);
        await assertAccessible();
      }
      assertQuiet();
      await context.close();
    });
  }

  it('offline: loaded data stays, other sections report the outage, and nothing is sent twice', async () => {
    const { page, context, assertAccessible, shoot } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Dead Reckoning' });
    await signIn(page, agent.key, 'Dead Reckoning');
    await goTo(page, 'Settings');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByText('You are offline. The data shown may be out of date.').waitFor();
    await page.getByLabel('Description').fill('Finds its place by what it has done so far, and by nothing else.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Check your connection and try again.').waitFor();
    await section(page, 'Entries').click();
    await page.getByText('The data loads when the connection is back.').waitFor();
    await shoot('agent-offline-light');
    await assertAccessible();
    await context.setOffline(false);
    await page.getByText('No entries yet').waitFor();
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    await context.close();
  });

  it('filters entries by outcome', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/agent');
    await signIn(page, seeded.winner.key, 'Ferrous Bloom');
    await goTo(page, 'Entries');
    const won = page.getByRole('row', { name: /A picture for the cover of our tide tables .* Won/ });
    await won.waitFor();
    await page.getByLabel('Outcome').selectOption('lost');
    await page.getByText('No results').waitFor();
    assert.match(page.url(), /status=lost/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await won.waitFor();
    assertQuiet();
    await context.close();
  });

  it('caps entry fees, and creates a key with a scope', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Careful Spender' });
    await signIn(page, agent.key, 'Careful Spender');
    await goTo(page, 'Money');
    await page.getByLabel('Highest fee per entry').fill('0.5');
    await page.getByLabel('Highest total per day (UTC)').fill('-1');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByLabel('Highest total per day (UTC)').and(page.locator('[aria-invalid="true"]')).waitFor();
    await page.getByLabel('Highest total per day (UTC)').fill('2.25');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Budget saved.').waitFor();
    // The notice is about this page.
    await goTo(page, 'Submissions');
    assert.equal(await page.getByText('Budget saved.').count(), 0);
    await goTo(page, 'Money');
    await page.getByText('2.25 USDC').waitFor();
    const { budget } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual([budget.per_entry, budget.per_day], [0.5, 2.25]);

    await goTo(page, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a key' });
    await dialog.getByLabel('Name').fill('Render farm');
    await dialog.getByLabel('Scope').selectOption('Enter');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const fresh = (await page.getByRole('status', { name: 'API key' }).textContent()) ?? '';
    expectStatus(await call(url, 'GET', '/agents/me', { key: fresh }), 200);
    const refused = await call(url, 'PUT', '/agents/me/budget', { key: fresh, body: { per_day: null } });
    assert.equal(refused.body.error.code, 'KEY_SCOPE');
    await page.getByRole('row', { name: /Render farm Enter/ }).waitFor();
    // The form's first answer with a problem is the only one with an error.
    assertQuiet(/400/);
    await context.close();
  });

  it('rotates its key: shows the new key once and uses it; the old key is rejected', async () => {
    const { page, context, assertQuiet, assertDialogAccessible, shoot } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Turning Leaf' });
    await signIn(page, agent.key, 'Turning Leaf');
    await goTo(page, 'Keys');
    await page.getByRole('button', { name: /^Rotate the key/ }).click();
    await assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Issue a new key' }).click();
    const shown = page.getByRole('status', { name: 'API key' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await shoot('agent-new-key-light');
    const fresh = (await shown.textContent()) ?? '';
    assert.match(fresh, /^ck_test_/);
    assert.equal((await call(url, 'GET', '/agents/me', { key: fresh })).status, 200);
    assert.equal((await call(url, 'GET', '/agents/me', { key: agent.key })).status, 401);
    await page.getByRole('button', { name: 'I saved it' }).click();
    await shown.waitFor({ state: 'hidden' });
    await page.getByText('In use here').waitFor();
    await page.getByText('Expired', { exact: true }).waitFor();
    const kept = JSON.stringify(await context.storageState({ indexedDB: true }));
    assert.ok(!kept.includes(fresh) && !kept.includes(agent.key), kept);
    // Revoking the page's own key also signs the page out.
    await page.getByRole('button', { name: /^Revoke the key/ }).click();
    await assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('You were signed out.').waitFor();
    assert.equal((await call(url, 'GET', '/agents/me', { key: fresh })).status, 401);
    assertQuiet(/401/);
    await context.close();
  });

  it('registers, tests, replays, and deletes a webhook', async () => {
    const { page, context, assertQuiet, assertDialogAccessible, shoot } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Night Watch' });
    const hook = await receiver();
    await signIn(page, agent.key, 'Night Watch');
    await goTo(page, 'New briefs');
    await shoot('agent-webhook-none-light');
    await page.getByLabel('URL').fill('http://example.com/hooks');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page
      .getByText(/HTTPS|https/)
      .last()
      .waitFor();
    await page.getByLabel('URL').fill(hook.url);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    const secret = page.getByRole('status', { name: 'webhook secret' });
    assert.match((await secret.textContent()) ?? '', /^[0-9a-f]{64}$/);
    await page.getByRole('button', { name: 'I saved it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/Test delivered in \d+ ms \(HTTP 200\)/).waitFor();
    assert.equal(hook.received.length, 1);
    await openProject(world, { fields: { title: 'Heard by the night watch' } });
    await page.getByRole('row', { name: /Delivered/ }).waitFor();
    await page.getByRole('button', { name: 'Send again: Heard by the night watch' }).click();
    await page.getByText('Sending again.').waitFor();
    await until('it came again', () => Promise.resolve(hook.received.length >= 3));
    assert.equal(hook.received.at(-1)?.['webhook-id'], hook.received.at(-2)?.['webhook-id']);
    await page.getByText('2 attempts').click();
    await shoot('agent-replay-light');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhook yet').waitFor();
    assert.equal((await call(url, 'GET', '/agents/webhooks/projects', { key: agent.key })).status, 404);
    assertQuiet(/ 400 |400 POST|status of 400/);
    await context.close();
  });

  it('links a browser wallet; a rejected signature changes nothing', async () => {
    const { page, context, assertQuiet, shoot } = await consoleWorld.open('/agent');
    const { account } = newPayer();
    const wallet = await injectWallet(page, account);
    await page.reload();
    const agent = await registerAgent(url, { agent_name: 'Open Hand' });
    await signIn(page, agent.key, 'Open Hand');
    await goTo(page, 'Wallet');
    await page.getByText('No wallet linked: prizes wait for one.').waitFor();
    wallet.refuses = true;
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByText('The signature was rejected. Nothing was changed.').waitFor();
    wallet.refuses = false;
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByText('Proven', { exact: true }).waitFor();
    await shoot('agent-wallet-linked-light');
    const { wallet: linked } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual([linked.address, linked.proven], [account.address.toLowerCase(), true]);
    assertQuiet();
    await context.close();
  });

  it('changes its settings and shows the contract’s validation errors', async () => {
    const { page, context, assertQuiet, shoot } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Second Draft' });
    await signIn(page, agent.key, 'Second Draft');
    await goTo(page, 'Settings');
    await page.getByLabel('Description').fill('Too short');
    await page.getByLabel('Concurrent projects').fill('0');
    await page.getByLabel('Time zone').fill('Atlantis/Capital');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Check the marked fields.').waitFor();
    await page.getByText('1 to 100, or null', { exact: true }).waitFor();
    await shoot('agent-settings-wrong-light');
    await page.getByText('a time zone by its IANA name, e.g. Europe/Berlin').waitFor();
    assert.equal(await page.getByLabel('Description').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Description').fill('Draws everything twice, and throws the first one away.');
    await page.getByLabel('Concurrent projects').fill('7');
    await page.getByLabel('Time zone').fill('Europe/Stockholm');
    await page.getByLabel('Prizes: From').fill('12.5');
    await page.getByRole('button', { name: 'Save' }).click();
    // Errors that only the service can find also appear at their fields.
    await page.getByText(/^At most 5, the daily quota of the starter tier/).waitFor();
    await page.getByLabel('Concurrent projects').fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { agent: own } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual(
      [own.settings.maxConcurrentProjects, own.settings.minBudget, own.settings.workingHours.timezone],
      [4, 12.5, 'Europe/Stockholm'],
    );
    assertQuiet(/403/);
    await context.close();
  });

  it('shows why the agent is suspended, and until when', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/agent');
    const agent = await registerAgent(url, { agent_name: 'Left Out' });
    const end = new Date(world.clock.now().getTime() + 86_400_000).toISOString();
    const body = { status: 'suspended', reason: 'Sold the same picture twice', until: end };
    const path = `/operator/agents/${agent.id}/status`;
    expectStatus(await call(url, 'PUT', path, { key: world.operatorKey, body }), 200);
    await signIn(page, agent.key, 'Left Out');
    await page.getByText('This agent is suspended').waitFor();
    await page.getByText('Reason: Sold the same picture twice').waitFor();
    await settled(page);
    await shoot('agent-suspended-light');
    await assertAccessible();
    // A section that the agent may not read shows the rejection with its reason.
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText(/This agent is suspended until/).waitFor();
    assertQuiet(/403/);
    await context.close();
  });
});
