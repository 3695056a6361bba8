import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';
import { operator, seedOperator } from '../support/console/console-operator-seed.ts';
import { drawPictures } from '../support/console/console-seed.ts';

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', PAYOUT_CAP_USDC: '100', LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
});
const seeded = consoleWorld ? await seedOperator(consoleWorld, pictures) : null;

const { signIn: open, goTo, section } = areaOf({ label: 'Operator key', name: 'Operator' });
const signIn = (page: Page, key: string) => open(page, key, 'Overview');

const SECTIONS =
  'Search|Posters|Machine|Agents|Projects|Payments|Payouts|Stray transfers|Deliveries|Flags|Objections|Audit trail'.split(
    '|',
  );

describe("the operator's pages in a browser", { skip }, () => {
  assert.ok(consoleWorld && seeded);
  const { world } = consoleWorld;
  const { url, operatorKey } = world;

  for (const view of Object.keys(views) as View[]) {
    it(`${view}: every section loads without errors and passes axe`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', view, {
        // Disable animations: axe would measure the contrast of a dialog that is fading in.
        reducedMotion: 'reduce',
      });
      await shoot(`operator-sign-in-${view}`);
      await assertAccessible();
      await signIn(page, operatorKey);
      await settled(page);
      await page.locator('figure details').first().waitFor();
      await shoot(`operator-overview-${view}`);
      await assertAccessible();
      for (const name of SECTIONS) {
        await goTo(page, name);
        await shoot(`operator-${name.toLowerCase().replace(' ', '-')}-${view}`);
        await assertAccessible();
      }
      await goTo(page, 'Payouts');
      await page.getByRole('button', { name: 'Withdraw revenue' }).click();
      await page.getByRole('dialog').getByText('USDC', { exact: true }).waitFor();
      await shoot(`operator-withdraw-${view}`, 'window');
      await assertAccessible();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await goTo(page, 'Projects');
      await page.getByRole('link', { name: 'A mural for the ferry hall' }).click();
      await page.getByRole('heading', { name: /3 confirmed entries/ }).waitFor();
      await settled(page);
      await shoot(`operator-project-${view}`);
      await assertAccessible();
      await goTo(page, 'Agents');
      await page.getByRole('link', { name: 'Ferrous Bloom' }).click();
      await page.getByRole('button', { name: 'Change status' }).waitFor();
      await settled(page);
      await shoot(`operator-agent-${view}`);
      await assertAccessible();
      await page.getByRole('button', { name: 'Change status' }).click();
      await page.getByLabel('Reason').waitFor();
      await shoot(`operator-status-${view}`, 'window');
      await assertAccessible();
      assertQuiet();
      await context.close();
    });
  }

  it('suspends an agent: its next request is rejected, and the console shows the status', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator');
    const agent = await registerAgent(url, { agent_name: 'Left Hand Path' });
    assert.equal((await call(url, 'GET', '/agents/projects', { key: agent.key })).status, 200);
    await signIn(page, operatorKey);
    await goTo(page, 'Agents');
    await page.getByLabel('Name or ID').fill('left hand');
    await page.getByRole('link', { name: 'Left Hand Path' }).click();
    await page.getByRole('button', { name: 'Change status' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // The focus returns to the button.
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Change status');
    await page.keyboard.press('Enter');
    assert.equal(await dialog.getByRole('combobox', { name: 'Status' }).inputValue(), 'active');
    assert.ok(await dialog.getByRole('button', { name: 'Set status' }).isDisabled());
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('suspended');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    assert.equal(
      (await call(url, 'GET', '/agents/projects', { key: agent.key })).status,
      200,
      'the status needs a reason',
    );
    await dialog.getByLabel('Reason').fill('Sold the same picture twice');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByText('Left Hand Path is now suspended.').waitFor();
    const refused = await call(url, 'POST', `/agents/projects/${seeded.market.open[0]!.id}/intent`, {
      key: agent.key,
      body: { title: 'A way around' },
    });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'AGENT_SUSPENDED']);
    assert.match(refused.body.error.message, /Sold the same picture twice/);
    await page.getByText('Reason: Sold the same picture twice').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Audit trail' }).last().click();
    await page.getByRole('cell', { name: 'Sold the same picture twice' }).waitFor();
    await page.getByRole('rowheader').first().waitFor();
    await goTo(page, 'Agents');
    await page.getByLabel('Status').selectOption('suspended');
    await page.getByRole('row', { name: /Left Hand Path Suspended/ }).waitFor();
    await page.getByRole('link', { name: 'Left Hand Path' }).click();
    await page.getByRole('button', { name: 'Change status' }).click();
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('active');
    await dialog.getByLabel('Reason').fill('It was another one');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await page.getByText('Left Hand Path is now active.').waitFor();
    await createIntent(url, agent.key, seeded.market.open[0]!.id);
    assertQuiet();
    await context.close();
  });

  it('releases a held payout, which then settles', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator');
    await signIn(page, operatorKey);
    await page.getByRole('link', { name: /1 payout is held: 237.50 USDC/ }).click();
    await page.getByRole('button', { name: 'Release payout: 237.50 USDC' }).first().click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The winner is known to us');
    await page.getByRole('dialog').getByRole('button', { name: 'Release payout' }).click();
    await page.getByRole('row', { name: /Prize Settled 237.50/ }).waitFor();
    await goTo(page, 'Audit trail');
    await page.getByRole('cell', { name: 'The winner is known to us' }).waitFor();
    assertQuiet();
    await context.close();
  });

  it('withdraws revenue: validates the input, requires a reason, and settles on chain', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator');
    await signIn(page, operatorKey);
    const { revenue_micro: earned } = (await operator(world, '/operator/overview')).held;
    assert.ok(earned > 1_000_000, String(earned));
    const { address } = newPayer();
    const listing = { key: operatorKey, body: { address, reason: 'Our wallet' } };
    expectStatus(await call(url, 'POST', '/operator/withdrawal-addresses', listing), 201);
    await goTo(page, 'Payouts');
    await page.getByRole('button', { name: 'Withdraw revenue' }).click();
    const dialog = page.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Withdraw revenue' });
    await dialog.getByText('USDC', { exact: true }).waitFor();
    await dialog.getByLabel('Amount in USDC').fill('nothing');
    await dialog.getByLabel('Recipient wallet').fill('0x12');
    await dialog.getByLabel('Reason').fill('Wages of November');
    await dialog.getByText('an address: 0x and 40 hex digits').waitFor();
    await send.click();
    await dialog
      .getByRole('alert')
      .getByText(/^Amount in USDC: /)
      .waitFor();
    await dialog.getByLabel('Amount in USDC').fill('999,999');
    await dialog.getByLabel('Recipient wallet').fill(address);
    await send.click();
    await dialog.getByText(/^Only .* USDC of earned fees can be withdrawn now/).waitFor();
    const withdrawals = async () =>
      (await operator(world, '/operator/payouts')).payouts.filter(
        ({ kind }: { kind: string }) => kind === 'withdrawal',
      );
    assert.deepEqual(await withdrawals(), []);
    await dialog.getByLabel('Amount in USDC').fill('1');
    await send.click();
    await page.getByText('Withdrawal requested.').waitFor();
    await page.getByRole('row', { name: /Withdrawal Settled 1.00/ }).waitFor();
    const [{ state, amount_micro: micro, recipient, tx_hash: hash }] = await withdrawals();
    assert.deepEqual([state, micro, recipient], ['settled', 1_000_000, address.toLowerCase()]);
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    await goTo(page, 'Audit trail');
    await page.getByRole('cell', { name: 'Wages of November' }).waitFor();
    assertQuiet(/409/);
    await context.close();
  });

  it('offline or with a failing service: the page keeps loaded data, reports missing data, and recovers', async () => {
    const { page, context, assertAccessible, shoot } = await consoleWorld.open('/operator');
    await signIn(page, operatorKey);
    await goTo(page, 'Agents');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByText('You are offline. The data shown may be out of date.').waitFor();
    assert.ok((await page.getByRole('row').count()) > 1, 'loaded data stays');
    // The section's code is loaded but its data is not; the page still has the key.
    await section(page, 'Flags').click();
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
    await page.getByText('The data loads when the connection is back.').waitFor();
    await shoot('operator-offline-light');
    await assertAccessible();
    await section(page, 'Agents').click();
    await page.getByRole('link', { name: 'Ferrous Bloom' }).click();
    await page.getByText('You are offline', { exact: true }).or(page.getByText('No connection')).first().waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Change status' }).waitFor();
    await page.getByText('You are offline').waitFor({ state: 'detached' });
    // The service returns an error.
    const trouble = { status: 503, contentType: 'application/json', body: '{"success":false,"error":{"code":"X"}}' };
    await page.route(/operator\/webhooks\/deliveries/, (route) => route.fulfill(trouble));
    await section(page, 'Deliveries').click();
    await page.getByText('Service error').waitFor();
    await page.unroute(/operator\/webhooks\/deliveries/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Deaf Ear' }).first().waitFor();
    await page.route(/operator\/webhooks\/deliveries/, (route) => route.fulfill(trouble));
    await page.getByText('The last update failed:').waitFor();
    assert.ok((await page.getByRole('link', { name: 'Deaf Ear' }).count()) > 0, 'loaded data stays');
    await shoot('operator-old-light');
    await assertAccessible();
    await context.close();
  });

  it('decides a flag, disqualifies an entry, cancels a project, disables a webhook: each with a reason', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator');
    const dialog = page.getByRole('dialog');
    const confirm = async (reason: string, button: string) => {
      await dialog.getByLabel('Reason').fill(reason);
      await dialog.getByRole('button', { name: button, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const project = await openProject(world, { fields: { title: 'Against the rules' } });
    // The second entry is a copy of the first, in a project where the operator can still disqualify.
    for (let copies = 0; copies < 2; copies += 1) await enter(world, project, { seed: 7 });
    const isCopy = ({ other }: { other: { project_id: string } }) => other.project_id === project.id;
    await until('the flag', async () => (await operator(world, '/operator/flags')).flags.some(isCopy));
    await signIn(page, operatorKey);
    await goTo(page, 'Flags');
    const decide = page
      .getByRole('listitem')
      .filter({ hasText: /Against the rules.*Against the rules/s })
      .getByRole('button', { name: /^Decide about/ })
      .first();
    await decide.click();
    assert.ok(await dialog.getByRole('button', { name: 'Record decision' }).isDisabled());
    assert.equal(await dialog.getByRole('img', { name: / by / }).count(), 2);
    // Another operator restricts the agent meanwhile. The dialog does not replace that status.
    const { entry } = (await operator(world, '/operator/flags')).flags.find(isCopy);
    const path = `/operator/agents/${entry.agent.id}/status`;
    const body = { status: 'suspended', reason: 'Many copies' };
    expectStatus(await call(url, 'PUT', path, { key: operatorKey, body }), 200);
    await dialog.getByRole('radio', { name: 'Confirm: a copy', exact: true }).check();
    await dialog.getByLabel(/^Status of its agent/).selectOption('limited');
    await dialog.getByLabel('Reason').fill('The same file');
    await dialog.getByRole('button', { name: 'Record decision' }).click();
    await dialog.getByText(/Another operator has changed this status meanwhile/).waitFor();
    await page.reload();
    await decide.click();
    await dialog.getByRole('radio', { name: 'Confirm: a copy', exact: true }).check();
    await dialog.getByLabel('Disqualify the later entry').check();
    await confirm('The same file', 'Record decision');
    await page.getByText('Confirmed copy: The same file The entry is disqualified.').waitFor();

    await goTo(page, 'Projects');
    await page.getByLabel('Title or ID').fill('against');
    await page.getByRole('link', { name: 'Against the rules' }).click();
    await page.getByRole('button', { name: 'Disqualify Lighthouse at dusk' }).click();
    await confirm('Not its own', 'Disqualify');
    await page.getByText('Disqualified: Not its own').waitFor();
    await page.getByText('Disqualified: The same file').waitFor();
    await page.getByRole('button', { name: 'Cancel project' }).click();
    await confirm('Asked for what is forbidden', 'Cancel project');
    await page.getByText('Asked for what is forbidden').waitFor();
    assert.equal((await operator(world, `/operator/projects/${project.id}`)).project.status, 'cancelled');

    await goTo(page, 'Deliveries');
    await page.getByText('1 attempt').or(page.getByText('2 attempts')).first().click();
    // The endpoint's response is shown as text.
    await page.getByText('<b>no</b>').first().waitFor();
    await page
      .getByRole('button', { name: /^Disable the webhook at/ })
      .first()
      .click();
    await confirm('Floods its network', 'Disable');
    const webhook = await call(url, 'GET', '/agents/webhooks/projects', { key: seeded.subscriber.key });
    assert.deepEqual(
      [webhook.body.data.status, webhook.body.data.disabled_reason],
      ['disabled', 'the operator: Floods its network'],
    );
    assertQuiet(/409/);
    await context.close();
  });
});
