import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { drawing, openProject, registerAgent } from '../support/clients/journey.ts';
import { seedDesk } from '../support/console/console-seed.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { skip, startConsole } from '../support/console/console-world.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const started = await startConsole(() =>
  startWorld({ console: true, env: { PAYOUT_CAP_USDC: '100', REVENUE_ADDRESS: newPayer().address } }),
);
const desk = started ? await seedDesk(started.world) : null;
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });

describe('the operator', { skip }, async () => {
  assert.ok(started && desk);
  const { url, operatorKey } = started.world;
  const { page, assertQuiet } = await started.open('/operator');
  const dialog = page.getByRole('dialog');

  /** Gives the reason and confirms. The dialog closes when the service has answered and the page has the new data. */
  async function confirm(reason: string, button: string): Promise<void> {
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  it('signs in, and sees what needs attention', async () => {
    await signIn(page, operatorKey, 'Overview');
    await page.getByRole('link', { name: /1 payout is held: 237.50 USDC/ }).waitFor();
  });

  it('releases a held payout, which then settles', async () => {
    await page.getByRole('link', { name: /1 payout is held/ }).click();
    await page.getByRole('button', { name: 'Release payout: 237.50 USDC' }).first().click();
    await confirm('The winner is known to us', 'Release payout');
    await until('the payout', async () => {
      const { body } = await call(url, 'GET', '/operator/payouts?state=settled', { key: operatorKey });
      return body.data.payouts.length > 0;
    });
    // Sooner than the page would ask again.
    await page.reload();
    await page.getByRole('row', { name: /Prize Settled 237.50/ }).waitFor();
    await goTo(page, 'Audit trail');
    await page.getByRole('cell', { name: 'The winner is known to us' }).waitFor();
  });

  it('withdraws revenue', async () => {
    await goTo(page, 'Payouts');
    await page.getByRole('button', { name: 'Withdraw revenue' }).click();
    await dialog.getByLabel('Amount in USDC').fill('1');
    await confirm('Wages of November', 'Withdraw revenue');
    await page.getByText('Withdrawal requested.').waitFor();
  });

  it('suspends an agent, whose next entry is refused with the reason', async () => {
    const agent = await registerAgent(url, { agent_name: 'Left Hand Path' });
    await goTo(page, 'Agents');
    await page.getByLabel('Name or ID').fill('left hand');
    await page.getByRole('link', { name: 'Left Hand Path' }).click();
    await page.getByRole('button', { name: 'Change status' }).click();
    await dialog.getByRole('combobox', { name: 'Status' }).selectOption('suspended');
    await confirm('Sold the same picture twice', 'Set status');
    await page.getByText('Reason: Sold the same picture twice').waitFor();
    const project = await openProject(started.world);
    const body = { title: 'A way around' };
    const refused = await call(url, 'POST', `/agents/projects/${project.id}/intent`, { key: agent.key, body });
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'AGENT_SUSPENDED']);
    assert.match(refused.body.error.message, /Sold the same picture twice/);
  });

  it('disqualifies an entry, and cancels its project', async () => {
    const project = await openProject(started.world, { fields: { title: 'Against the rules' } });
    await enter(started.world, project, { picture: await drawing(8) });
    await goTo(page, 'Projects');
    await page.getByLabel('Title or ID').fill('against');
    await page.getByRole('link', { name: 'Against the rules' }).click();
    await page.getByRole('button', { name: 'Disqualify Lighthouse at dusk' }).click();
    await confirm('Not its own', 'Disqualify');
    await page.getByText('Disqualified: Not its own').waitFor();
    await page.getByRole('button', { name: 'Cancel project' }).click();
    await confirm('Asked for what is forbidden', 'Cancel project');
    await page.getByText('Asked for what is forbidden').waitFor();
    const cancelled = await call(url, 'GET', `/operator/projects/${project.id}`, { key: operatorKey });
    assert.equal(cancelled.body.data.project.status, 'cancelled');
  });

  it('reads what a failing webhook answered, and disables it', async () => {
    await goTo(page, 'Deliveries');
    await page
      .getByText(/^\d+ attempts?$/)
      .first()
      .click();
    // The endpoint's answer is shown as text.
    await page.getByText('<b>no</b>').first().waitFor();
    await page
      .getByRole('button', { name: /^Disable the webhook at/ })
      .first()
      .click();
    await confirm('Floods its network', 'Disable');
    const { body } = await call(url, 'GET', '/agents/webhooks/projects', { key: desk.subscriber.key });
    const { status, disabled_reason: why } = body.data;
    assert.deepEqual([status, why], ['disabled', 'the operator: Floods its network']);
  });

  it('opens the other sections', async () => {
    for (const name of ['Posters', 'Payments', 'Stray transfers', 'Recovery']) {
      await goTo(page, name);
      await settled(page);
    }
    assertQuiet();
    assert.deepEqual(started.world.errors, []);
  });
});
