import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { drawing, openProject, registerAgent } from '../support/clients/journey.ts';
import { seedDesk } from '../support/console/console-seed.ts';
import { areaOf } from '../support/console/console-signed-in.ts';
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

  const tab = (name: string) => page.getByRole('main').getByRole('navigation').getByRole('link', { name, exact: true });

  it('signs in, and sees what needs attention, and books that were just checked', async () => {
    await signIn(page, operatorKey, 'Overview');
    await page.getByRole('link', { name: /1 payout is held: 237.50 USDC/ }).waitFor();
    await page.getByText('Matches the chain', { exact: true }).waitFor();
  });

  it('releases a held payout, which then settles', async () => {
    await page.getByRole('link', { name: /1 payout is held/ }).click();
    await page.getByRole('button', { name: 'Release payout: 237.50 USDC' }).click();
    await dialog.getByText(/Why it is held: over the cap of one transfer\./).waitFor();
    await confirm('The winner is known to us', 'Release payout');
    await until('the payout', async () => {
      const { body } = await call(url, 'GET', '/operator/payouts?state=settled', { key: operatorKey });
      return body.data.payouts.length > 0;
    });
    await page.getByLabel('State').selectOption('Settled');
    const row = page.getByRole('row', { name: /Prize Settled 237.50/ });
    // Every row of money names the project, the agent, and the poster.
    for (const kind of ['Project', 'Agent', 'Poster']) await row.getByText(kind, { exact: true }).waitFor();
    await goTo(page, 'Audit trail');
    await page.getByRole('cell', { name: 'The winner is known to us' }).waitFor();
    assert.equal(await page.getByText('The released payout').count(), 0, 'a notice stays on the page of its act');
  });

  it('sees which projects have a result on hold', async () => {
    await page.route('**/api/v1/operator/projects*', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { projects: object[] } };
      const hold = { selection: 'ai', winner_submission_id: null, decided_at: null, pay_after: null };
      const projects = data.projects.map((project) => ({ ...project, result_on_hold: hold }));
      await route.fulfill({ response, json: { success: true, data: { ...data, projects } } });
    });
    await goTo(page, 'Projects');
    await page.getByRole('row', { name: /A mural for the ferry hall .*Result on hold/ }).waitFor();
    await page.unroute('**/api/v1/operator/projects*');
  });

  it('withdraws revenue, which the list of revenue shows', async () => {
    await goTo(page, 'Money');
    await tab('Revenue').click();
    await page.getByRole('row', { name: /Platform fee of a prize 12.50/ }).waitFor();
    await page.getByRole('button', { name: 'Withdraw revenue' }).click();
    await dialog.getByLabel('Amount in USDC').fill('1');
    await confirm('Wages of November', 'Withdraw revenue');
    await page.getByText('Withdrawal requested.').waitFor();
    await page.getByRole('row', { name: /Withdrawal -1.00/ }).waitFor();
  });

  it('saves a filtered list as CSV', async () => {
    await tab('Payments').click();
    await page.getByLabel('At least USDC').fill('100');
    await page.waitForURL(/min_usdc=.*100/);
    await page.getByLabel('Kind').selectOption('Prize into escrow');
    await page.waitForURL(/kind=escrow/);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n');
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? '', /escrow.*250000000.*A mural for the ferry hall/);
  });

  it('finds an exact transaction', async () => {
    const { body } = await call(url, 'GET', '/operator/payments?kind=escrow', { key: operatorKey });
    const field = page.getByLabel('Find an exact ID');
    await field.fill('nothing');
    await field.press('Enter');
    await page.getByText('Nothing has exactly this ID').waitFor();
    await field.fill(body.data.payments[0].tx_hash);
    await field.press('Enter');
    await page.getByRole('heading', { name: /A mural for the ferry hall/, level: 1 }).waitFor();
  });

  it('suspends an agent, whose next entry is refused with the reason', async () => {
    const agent = await registerAgent(url, { agent_name: 'Left Hand Path' });
    await goTo(page, 'People');
    await page.getByLabel('Name').fill('left hand');
    await page.getByRole('link', { name: 'Left Hand Path' }).click();
    await page.getByRole('button', { name: 'Change status' }).click();
    // Nothing is chosen before the operator chooses.
    await dialog.getByLabel('Reason').fill('Sold the same picture twice');
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await dialog.locator('select:invalid:focus').waitFor();
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
    await page.getByLabel('Title').fill('against');
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
    const { body } = await call(url, 'GET', '/agents/me/webhooks', { key: desk.subscriber.key });
    const { status, disabled_reason: why } = body.data.webhooks[0];
    assert.deepEqual([status, why], ['disabled', 'the operator: Floods its network']);
    assertQuiet();
  });
});
