import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { operator } from '../support/console/console-operator-seed.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';

// Two named operators approve a held payout: one asks for its release, and the other one approves it in another browser.

const consoleWorld = await startConsoleWorld({ env: { APPROVAL_USDC: '2', PAYOUT_CAP_USDC: '3' } });
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });
const CALM = { reducedMotion: 'reduce' } as const;

describe('a held payout that two operators release', { skip }, async () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, service } = world;
  const { chain, db, payTo } = service.deps;
  const [ada, bob] = [await newOperator(world, 'money'), await newOperator(world, 'money')];
  const project = await openProject(world, { prizeUsdc: 5 });
  const winner = await enter(world, project);
  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, winner), 200);
  type Payout = { id: string; state: string; amount_micro: number; tx_hash: string | null };
  const payoutOf = async () =>
    ((await operator(world, `/operator/payouts?project_id=${project.id}`)).payouts as Payout[])[0]!;
  const held = await until('a held payout', async () => {
    const [found] = (await operator(world, `/operator/payouts?project_id=${project.id}&state=held`))
      .payouts as Payout[];
    return found;
  });
  const before = await chain.balanceMicro(winner.payer.address);
  const fromBlock = await chain.blockNumber();

  const approveButton = (page: Page) => page.getByRole('button', { name: 'Approve: Release payout, 4.75 USDC' });
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Approve “Release payout”?' });

  async function openApprovals(page: Page, label: RegExp) {
    await page.getByRole('navigation', { name: 'Operator: sections' }).getByRole('link', { name: label }).click();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await settled(page);
  }

  it('waits after the first operator has asked for it, who cannot approve it alone', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, ada.key, 'Overview');
    await page.getByRole('link', { name: '1 payout is held: 4.75 USDC.' }).click();
    const waiting = page.getByRole('region', { name: 'Held' });
    await waiting.getByRole('button', { name: 'Release payout: 4.75 USDC' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release 4.75 USDC?' });
    await dialog.getByText(winner.payer.address.toLowerCase()).waitFor();
    await dialog.getByLabel('Reason').fill('The winner is known to us');
    await dialog.getByRole('button', { name: 'Release payout' }).dblclick();
    await page.getByText('Nothing has moved yet: 4.75 USDC wait for another operator.').waitFor();
    assert.equal((await payoutOf()).state, 'held');
    await openApprovals(page, /^Approvals \(1\)$/);
    await page.getByRole('button', { name: 'Withdraw request: Release payout, 4.75 USDC' }).waitFor();
    assert.equal(await approveButton(page).count(), 0);
    // The service refuses it too, not only the page.
    const [{ id }] = (await operator(world, '/operator/approvals?state=pending')).approvals as [{ id: string }];
    const own = await call(url, 'POST', `/operator/approvals/${id}/approve`, { key: ada.key, body: {} });
    codeIs(own, 403, 'APPROVAL_FORBIDDEN', /Another operator must approve/);
    assert.equal((await payoutOf()).state, 'held');
    assert.equal(await chain.balanceMicro(winner.payer.address), before);
    assertQuiet();
    await context.close();
  });

  it('is sent once after the second operator approves it in two windows at once', async () => {
    const windows = [
      await consoleWorld.open('/operator', 'light', CALM),
      await consoleWorld.open('/operator', 'phone', CALM),
    ] as const;
    for (const { page } of windows) {
      await signIn(page, bob.key, 'Overview');
      await openApprovals(page, /^Approvals \(1\)$/);
      await approveButton(page).click();
      for (const fact of ['4.75 USDC', `operator:${ada.name}`, held.id, 'The winner is known to us'])
        await dialogOf(page).getByText(fact, { exact: true }).waitFor();
    }
    await windows[1].assertDialogAccessible();
    const confirm = (page: Page) => dialogOf(page).getByRole('button', { name: 'Approve' });
    await Promise.all(windows.map(async ({ page }) => await confirm(page).dblclick()));
    const outcomes = await Promise.all(
      windows.map(async ({ page }) => {
        const done = page.getByText('Approved and performed.');
        const late = dialogOf(page).getByRole('alert').getByText('This request was decided before, or it has expired.');
        await done.or(late).first().waitFor();
        return (await done.count()) > 0;
      }),
    );
    assert.deepEqual(
      outcomes.toSorted((a, b) => Number(a) - Number(b)),
      [false, true],
      'one window approves, and the other one hears that it is done',
    );
    const { page } = windows[outcomes.indexOf(true)]!;
    await page.getByRole('row', { name: new RegExp(`Release payout Approved.*${bob.name}`) }).waitFor();

    // The payout is settled on the chain, and in the list.
    await goTo(page, 'Payouts');
    await page.getByLabel('State').selectOption('Settled');
    await page.getByRole('row', { name: /Prize Settled 4.75/ }).waitFor();
    const payout = await payoutOf();
    assert.equal(payout.state, 'settled');
    const transfers = (await chain.transfersOf(payTo, fromBlock, await chain.blockNumber())).filter(
      ({ from }) => from === payTo.toLowerCase(),
    );
    assert.deepEqual(
      transfers.map(({ to, amountMicro, txHash }) => [to, amountMicro, txHash]),
      [[winner.payer.address.toLowerCase(), held.amount_micro, payout.tx_hash]],
    );
    assert.equal(await chain.balanceMicro(winner.payer.address), before + held.amount_micro);
    const trail = await db<{ actor: string; action: string }[]>`
      select actor, action from audit_trail where actor like 'operator:%'
        and action in ('approval.request', 'approval.approve', 'payout.release') order by at, id`;
    assert.deepEqual(
      trail.map(({ actor, action }) => `${actor} ${action}`).toSorted(),
      [
        `operator:${ada.name} approval.request`,
        `operator:${ada.name} payout.release`,
        `operator:${bob.name} approval.approve`,
      ].toSorted(),
    );
    await assertBooks(world);
    for (const { assertQuiet, context } of windows) {
      assertQuiet(/409/);
      await context.close();
    }
  });
});
