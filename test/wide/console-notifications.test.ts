import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { agent, messages, notifications, poster } from '../../console/messages/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { type OpenPage, startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';

const smtp = await startSmtpServer();
const consoleWorld = await startConsoleWorld({
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Concours <mail@concours.example>',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
  },
});
const { signIn, goTo } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

const words = notifications.webhooks;

/** Starts an endpoint that accepts every request. */
async function receiver(): Promise<{ url: string; received: () => string[] }> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => received.push((body as { event: string }).event));
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, received: () => received };
}

/** Enters an address, opens the link in the email, and waits until the page says that emails are active. */
async function confirmAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Email address').fill(address);
  await page.getByLabel('How often').selectOption('One email a day (08:00 UTC)');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(`Open the link that was sent to ${address}.`).waitFor();
  await page.getByText('Not confirmed yet').first().waitFor();
  await until('the email', async () => smtp.to(address).length > 0);
  const [link = ''] = /https?:\S+/.exec(smtp.to(address)[0]?.text ?? '') ?? [];
  const opened = await page.context().newPage();
  await opened.goto(link);
  await opened.getByRole('button').click();
  await opened.getByRole('heading', { name: 'Address confirmed' }).waitFor();
  await opened.close();
  await page.reload();
}

/** Changes the URL and the events of an endpoint, and activates it again after the service disabled it. */
async function changeEndpoint(page: Page, url: string): Promise<void> {
  const edit = page.getByRole('button', { name: words.editOf({ url }) });
  const form = page.getByRole('form', { name: words.editOf({ url }) });
  await edit.click();
  await form.getByLabel('Webhook disabled', { exact: true }).check();
  await form.getByLabel('URL').fill('http://example.com/hooks');
  await form.getByRole('button', { name: words.save }).click();
  await form.getByText(/https/i).last().waitFor();
  await form.getByLabel('URL').fill(url);
  await form.getByRole('button', { name: words.save }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText(words.eventCount({ count: 2 })).waitFor();
  const db = consoleWorld?.world.service.deps.db ?? assert.fail('no world');
  await db`update webhooks set status = 'disabled', disabled_reason = 'gone' where url = ${url}`;
  await page.reload();
  const activate = page.getByRole('button', { name: words.activateOf({ url }) });
  await activate.click();
  await page.getByText(words.activated).waitFor();
  await activate.waitFor({ state: 'detached' });
}

/** Adds an endpoint, tests it, replaces its secret, and deletes it. */
async function manageEndpoint({ page, assertDialogAccessible }: OpenPage, type: string, sample: string): Promise<void> {
  const { url, received } = await receiver();
  const form = page.getByRole('form', { name: 'Add endpoint' });
  await form.getByLabel('URL').fill(url);
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  await form.getByText('Choose at least one event').waitFor();
  await form.getByLabel(type, { exact: true }).check();
  await form.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = page.getByRole('status', { name: 'signing secret' });
  assert.match((await secret.textContent()) ?? '', /^whsec_/);
  await page.getByRole('button', { name: 'I saved it' }).click();
  await page.getByRole('button', { name: `Send test: ${url}` }).click();
  await page.getByText(/Test delivered in \d+ ms/).waitFor();
  // Also a type that the endpoint does not get can be tested.
  const types = page.getByLabel(words.sampleOf({ url })).getByRole('option');
  assert.ok((await types.allTextContents()).includes('Key created'));
  await page.getByLabel(words.sampleOf({ url })).selectOption(type);
  await page.getByRole('button', { name: `Send test: ${url}` }).click();
  await until('the sample', async () => received().length === 2);
  assert.equal(received()[0], 'TEST');
  assert.equal(received()[1], sample);
  await changeEndpoint(page, url);
  await page.getByText('Deliveries', { exact: true }).click();
  await page.getByText('None yet').waitFor();
  await page.getByRole('button', { name: `Replace secret: ${url}` }).click();
  await assertDialogAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
  await page.getByRole('button', { name: 'I saved it' }).click();
  await page.getByRole('button', { name: `Delete the endpoint ${url}` }).click();
  await assertDialogAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No endpoints yet').waitFor();
}

async function look({ shoot, assertAccessible, page }: OpenPage, name: string): Promise<void> {
  await settled(page);
  await shoot(name);
  await assertAccessible();
}

describe('the notifications of an account in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { visit, signInWithKey } = posterSteps(consoleWorld);

  for (const view of Object.keys(views) as View[])
    it(`${view}: an owner sees what happened to the agent, and sets an endpoint`, async () => {
      const project = await openProject(world);
      const entrant = await enter(world, project);
      const { agent: own } = (await call(world.url, 'GET', '/agents/me', { key: entrant.key })).body.data;
      const body = { status: 'under_review', reason: 'Two pictures look alike' };
      const standing = `/operator/agents/${own.id}/status`;
      expectStatus(await call(world.url, 'PUT', standing, { key: world.operatorKey, body }), 200);
      const opened = await open('/agent', view);
      const { page, context, assertQuiet } = opened;
      await signIn(page, entrant.key, own.name);
      await goTo(page, 'Notifications');
      await page.getByRole('row', { name: /Entry confirmed/ }).waitFor();
      await page.getByRole('row', { name: /Standing changed Under review · Two pictures look alike/ }).waitFor();
      await page.getByLabel('Email address').waitFor();
      if (view === 'light') await manageEndpoint(opened, 'Entry won', 'SUBMISSION.WON');
      await look(opened, `agent-notifications-${view}`);
      // Without an address, the service answers 404; to a URL without https, 400.
      assertQuiet(/40[04]/);
      await context.close();
    });

  it('a poster confirms an email address, and hears of a new entry', async () => {
    const project = await openProject(world);
    await enter(world, project);
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, project.poster.key);
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByRole('row', { name: /New entry 1 entry/ }).waitFor();
    await confirmAddress(page, 'poster@example.com');
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('poster@example.com', { exact: true }).waitFor();
    await manageEndpoint(opened, 'New entry', 'ENTRY.CONFIRMED');
    await look(opened, 'poster-notifications-light');
    await page.getByRole('button', { name: 'Delete address' }).click();
    await opened.assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete address' }).click();
    await page.getByText('Address deleted.').waitFor();
    assertQuiet(/40[04]/);
    await context.close();
  });

  it('a bell counts what nobody has looked at, on every page, until the notifications are open', async () => {
    const project = await openProject(world, { fields: { title: 'Lines of light' } });
    await enter(world, project);
    const { key } = project.poster;
    const onServer = async () => (await call(world.url, 'GET', '/posters/me/events/unread', { key })).body.data.unread;
    await until('the event', async () => (await onServer()) === 1);
    const opened = await open('/poster');
    const { page, context, assertQuiet } = opened;
    const bell = (count: number) =>
      page.getByRole('banner').getByRole('link', { name: messages.unread.poster({ count }), exact: true });
    assert.equal(
      await page
        .getByRole('banner')
        .getByRole('link', { name: /^Notifications of/ })
        .count(),
      0,
    );
    await signInWithKey(page, key);
    await bell(1).waitFor();
    await page.goto(world.url);
    await bell(1).waitFor();
    await look(opened, 'poster-unread-light');
    await bell(1).click();
    await page.getByRole('row', { name: /New entry 1 entry/ }).waitFor();
    await bell(0).waitFor();
    assert.equal(await onServer(), 0);
    await page.reload();
    await page.getByRole('row', { name: /New entry 1 entry/ }).waitFor();
    await bell(0).waitFor();
    // A poster acts on the poster's own page of the project.
    await page.getByRole('link', { name: 'Lines of light', exact: true }).first().click();
    await page.waitForURL(`${world.url}/poster/projects/${project.id}`);
    await enter(world, project);
    await until('another event', async () => (await onServer()) === 1);
    await page.reload();
    await bell(1).waitFor();
    await page.goto(`${world.url}/poster`);
    await page.getByRole('button', { name: poster.account.signOut }).click();
    await bell(1).waitFor({ state: 'detached' });
    assertQuiet(/404/);
    await context.close();
  });

  it('a poster reads what a webhook sent, and opens the delivery as JSON', async () => {
    const project = await openProject(world);
    const { key } = project.poster;
    const { url: hook, received } = await receiver();
    const body = { url: hook, types: ['ENTRY.CONFIRMED'] };
    const { webhook } = expectStatus(await call(world.url, 'POST', '/posters/me/webhooks', { key, body }), 201).body
      .data;
    await enter(world, project);
    await until('the event', async () => received().length === 1);
    const deliveries = `/posters/me/webhooks/${webhook.id}/deliveries`;
    await until('the outcome', async () => {
      const listed = (await call(world.url, 'GET', deliveries, { key })).body.data.deliveries;
      return listed[0]?.state === 'delivered';
    });
    const opened = await open('/poster');
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, key);
    await page.goto(`${world.url}/poster/notifications`);
    await page.getByText(notifications.webhooks.deliveries, { exact: true }).click();
    await page.getByText(agent.webhook.attempts({ amount: 1 })).click();
    await page.getByText(agent.webhook.request, { exact: true }).click();
    const sent = page.locator('pre', { hasText: 'webhook-id: ' });
    const shown = (await sent.textContent()) ?? '';
    assert.match(shown, /^content-type: application\/json\nwebhook-id: /);
    assert.match(shown, new RegExp(`"project_id": "${project.id}"`));
    assert.doesNotMatch(shown, /signature/);
    await look(opened, 'poster-sent-request-light');
    const [shownJson] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: agent.webhook.json }).click(),
    ]);
    await shownJson.waitForLoadState();
    const answer = JSON.parse((await shownJson.locator('body').textContent()) ?? '') as {
      data: { delivery: { state: string }; request: { headers: Record<string, string> } };
    };
    assert.equal(answer.data.delivery.state, 'delivered');
    assert.ok(shown.includes(`webhook-id: ${answer.data.request.headers['webhook-id']}`));
    // A replay that fails is not shown as a success.
    expectStatus(await call(world.url, 'DELETE', `/posters/me/webhooks/${webhook.id}`, { key }), 200);
    await page
      .getByRole('button', { name: notifications.webhooks.replayOf({ type: notifications.types['ENTRY.CONFIRMED'] }) })
      .click();
    await page.locator('[role="status"] [data-tone="bad"]').waitFor();
    assert.equal(await page.locator('[role="status"] [data-tone="good"]').count(), 0);
    // Without an address, the service answers 404.
    assertQuiet(/404/);
    await context.close();
  });

  it('an agent that has just signed in sees its sign-in', async () => {
    const opened = await open('/agent');
    const fresh = await registerAgent(world.url, { agent_name: 'Nothing Yet' });
    await signIn(opened.page, fresh.key, 'Nothing Yet');
    await goTo(opened.page, 'Notifications');
    await opened.page.getByText('Browser signed in').first().waitFor();
    const read = { name: messages.unread.agent({ count: 0 }), exact: true };
    await opened.page.getByRole('banner').getByRole('link', read).waitFor();
    assert.equal(await opened.page.getByText('Nothing has happened yet').count(), 0);
    await opened.context.close();
  });

  it('the service logged no errors', () => assert.deepEqual(world.errors, []));
});
