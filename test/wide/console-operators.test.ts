import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { now } from '../support/money/authorizations.ts';
import { newPayer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { ownProject } from '../support/endings/ending.ts';
import { operator } from '../support/console/console-operator-seed.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { type OpenPage, startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';

// Named operators: their keys and codes, acts that another operator approves, and the recovery of lost transfers.

const STEP_MS = 30_000;
const consoleWorld = await startConsoleWorld({ env: { APPROVAL_USDC: '2' } });
const { signIn: open, goTo, section } = areaOf({ label: 'Operator key', name: 'Operator' });
const signIn = (page: Page, key: string) => open(page, key, 'Overview');
// Disable animations: axe would measure the contrast of a dialog that is fading in.
const CALM = { reducedMotion: 'reduce' } as const;
/** Answers that the pages handle: a missing code and a wrong code. */
const REFUSED = /403/;

describe('operators in a browser', { skip }, async () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { clock, operatorKey, service } = world;
  const bank = newPayer().address.toLowerCase();
  const second = await newOperator(world, 'money');
  const project = await openProject(world, { prizeUsdc: 100 });
  const winner = await enter(world, project);
  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, winner), 200);
  await until('the prize', async () => (await ownProject(world, project))['payout_status'] === 'settled');
  let adaKey = '';
  let totp = new TOTP();
  /** Each code works once, so the clock moves on to the next ones. */
  const nextCode = () => {
    clock.offsetMs += 2 * STEP_MS;
    return totp.generate({ timestamp: clock.now().getTime() });
  };

  const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
  const codes = (page: Page) => dialogOf(page, 'Enter a code');

  async function sendCode(page: Page, code: string) {
    await codes(page).getByLabel('Six-digit code').fill(code);
    await codes(page).getByRole('button', { name: 'Send code' }).click();
  }

  async function withdraw(page: Page, amount: string, reason: string) {
    await goTo(page, 'Payouts');
    await page.getByRole('button', { name: 'Withdraw revenue' }).click();
    const dialog = dialogOf(page, 'Withdraw platform revenue?');
    await dialog.getByLabel('Amount in USDC').fill(amount);
    await dialog.getByLabel('Recipient wallet').fill(bank);
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: 'Withdraw revenue' }).click();
    return dialog;
  }

  async function openApprovals(page: Page, label: RegExp) {
    const nav = page.getByRole('navigation', { name: 'Operator: sections' });
    await nav.getByRole('link', { name: label }).click();
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    await settled(page);
  }

  const withdrawals = async (): Promise<{ kind: string; state: string; amount_micro: number }[]> =>
    (await operator(world, '/operator/payouts')).payouts.filter(({ kind }: { kind: string }) => kind === 'withdrawal');

  it('adds an operator, whose key is shown once and who then sets up codes', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, operatorKey);
    await goTo(page, 'Operators');
    await page.getByText('OPERATOR_KEY belongs to no person').waitFor();
    await page.getByRole('button', { name: 'Add operator' }).click();
    const dialog = dialogOf(page, 'Add an operator?');
    await dialog.getByLabel('Name').fill('Ada!');
    await dialog.getByLabel('Reason').fill('Runs the service');
    await dialog.getByRole('button', { name: 'Add operator' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^Name: /)
      .waitFor();
    await dialog.getByLabel('Name').fill('ada');
    await dialog.getByLabel('Money').check();
    await dialog.getByLabel('Admin').check();
    await shoot('operators-add-light', 'window');
    await assertAccessible();
    await dialog.getByRole('button', { name: 'Add operator' }).click();
    await page.getByText('ada is an operator now.').waitFor();
    adaKey = (await page.getByLabel('operator key', { exact: true }).textContent()) ?? '';
    await shoot('operators-key-light');
    await assertAccessible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    // The service ends the session first. Until then, the new key is shown, whose label is alike.
    await page.getByRole('heading', { name: 'Operator sign-in' }).waitFor();
    await open(page, adaKey, 'Operators');
    await page.getByRole('row', { name: /ada You Active Money, Admin Off/ }).waitFor();
    await page.getByRole('button', { name: 'Set up codes' }).click();
    const setup = page.getByRole('form', { name: 'Set up codes' });
    const shown = setup.getByRole('status', { name: 'Secret', exact: true });
    totp = new TOTP({ secret: (await shown.textContent()) ?? '' });
    await setup.getByText(/^otpauth:\/\/totp\//).waitFor();
    await shoot('operators-codes-light');
    await assertAccessible();
    await setup.getByLabel('First code').fill('12 34');
    await setup.getByRole('button', { name: 'Turn codes on' }).click();
    await setup.getByText('Enter the 6 digits that the app shows.').waitFor();
    const right = totp.generate({ timestamp: clock.now().getTime() });
    await setup.getByLabel('First code').fill(`${right.slice(0, 3)} ${right.slice(3)}`);
    await setup.getByRole('button', { name: 'Turn codes on' }).click();
    await page.getByText('Each act of the scopes Money and Admin asks for a code.').waitFor();
    assertQuiet();
    await context.close();
  });

  it('asks for a code before an act, and goes back to the act without one', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, adaKey);
    await goTo(page, 'Withdrawal addresses');
    await page.getByRole('button', { name: 'Add address' }).click();
    const dialog = dialogOf(page, 'Add a withdrawal address?');
    await dialog.getByLabel('Address').fill(bank);
    await dialog.getByLabel('Reason').fill('Our bank');
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await codes(page).waitFor();
    await shoot('operators-code-light', 'window');
    await assertAccessible();
    await page.keyboard.press('Escape');
    await codes(page).waitFor({ state: 'hidden' });
    assert.equal(await dialog.getByLabel('Reason').inputValue(), 'Our bank');
    assert.equal(await dialog.getByRole('alert').count(), 0);
    assert.deepEqual((await operator(world, '/operator/withdrawal-addresses')).addresses, []);
    await dialog.getByRole('button', { name: 'Add address' }).click();
    await sendCode(page, '000000');
    await codes(page).getByText('This code is wrong, or was used before.').waitFor();
    await sendCode(page, nextCode());
    await dialog.waitFor({ state: 'hidden' });
    // The test's clock is ahead of the browser's, so the state of the address is not asserted.
    await page.getByRole('row', { name: new RegExp(bank) }).waitFor();

    await withdraw(page, '1', 'Wages of November');
    await sendCode(page, nextCode());
    await page.getByText('Withdrawal requested.').waitFor();
    await page.getByRole('row', { name: /Withdrawal Settled 1.00/ }).waitFor();
    assertQuiet(REFUSED);
    await context.close();
  });

  it('shows an act above the limit as waiting, until another operator approves or rejects it', async () => {
    const first = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(first.page, adaKey);
    for (const [amount, reason] of [
      ['2.5', 'Wages of December'],
      ['2.25', 'A mistake'],
    ] as const) {
      await withdraw(first.page, amount, reason);
      await sendCode(first.page, nextCode());
      await first.page.getByText(/^Nothing has moved yet: .* USDC wait for another operator/).waitFor();
    }
    await first.shoot('operators-waiting-light');
    await openApprovals(first.page, /^Approvals \(2\)$/);
    await first.page.getByRole('button', { name: 'Withdraw request: Withdraw revenue, 2.50 USDC' }).waitFor();
    assert.equal(
      await first.page.getByRole('button', { name: /^Approve/ }).count(),
      0,
      'nobody approves an own request',
    );
    assert.equal((await withdrawals()).length, 1);

    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'phone', CALM);
    await signIn(page, second.key);
    await openApprovals(page, /^Approvals \(2\)$/);
    await page.getByRole('button', { name: 'Approve: Withdraw revenue, 2.50 USDC' }).click();
    const approval = dialogOf(page, 'Approve “Withdraw revenue”?');
    for (const fact of ['2.50 USDC', 'operator:ada', bank, 'Wages of December'])
      await approval.getByText(fact, { exact: true }).waitFor();
    await shoot('operators-approve-phone', 'window');
    await assertAccessible();
    await approval.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved and performed.').waitFor();
    await page.getByRole('button', { name: 'Reject: Withdraw revenue, 2.25 USDC' }).click();
    const rejection = dialogOf(page, 'Reject “Withdraw revenue”?');
    await rejection.getByLabel('Reason').fill('Not agreed');
    await rejection.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected. Nothing has moved.').waitFor();
    await page.getByRole('cell', { name: /Not agreed/ }).waitFor();
    await until('the withdrawal', async () => (await withdrawals()).filter(isSettled).length === 2);
    assert.deepEqual(
      (await withdrawals()).map(({ amount_micro: micro }) => micro).toSorted((a, b) => a - b),
      [1_000_000, 2_500_000],
    );
    // The section counts pending acts only.
    await section(page, 'Approvals').waitFor();
    assertQuiet();
    first.assertQuiet(REFUSED);
    await context.close();
    await first.context.close();
  });

  it('checks what a recovery would book, and adopts a transfer that nothing explains', async () => {
    const { treasury, facilitator, network } = service.deps;
    // A person with the treasury's key sends money; no row knows this transfer.
    const transfer = await treasury.authorize({
      kind: 'payout',
      subjectId: randomUUID(),
      network: network.id,
      asset: network.usdc.address,
      recipient: newPayer().address,
      amountMicro: 100_000,
      nonce: `0x${randomBytes(32).toString('hex')}`,
      validBefore: now() + 300,
    });
    assert.equal((await facilitator.settle(transfer)).success, true);
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, second.key);
    await goTo(page, 'Recovery');
    await page.getByLabel('Stop at block').fill('soon');
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByRole('alert').getByText('Enter a block number.').waitFor();
    await page.getByLabel('Stop at block').fill('');
    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByText('This was a check. Nothing has been booked.').waitFor();
    await page.getByRole('row', { name: /^Out Unknown 0.10/ }).waitFor();
    await shoot('operators-unknown-light');
    await assertAccessible();
    await page.getByRole('button', { name: 'Adopt the transfer of 0.10 USDC' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Sent by hand');
    await dialog.getByRole('button', { name: 'Adopt' }).click();
    await page.getByRole('row', { name: /^Out Adopted 0.10/ }).waitFor();
    await page.getByRole('button', { name: 'Run recovery' }).click();
    await dialog.getByRole('button', { name: 'Run recovery' }).click();
    await page.getByText('The database has every transfer of these blocks.').waitFor();
    assert.equal(await page.getByText('Not recovered yet').count(), 0);
    assertQuiet();
    await context.close();
  });

  for (const view of Object.keys(views) as View[]) {
    it(`${view}: the pages pass axe`, async () => {
      const opened = await consoleWorld.open('/operator', view, CALM);
      await everyPage(opened, view);
      opened.assertQuiet(REFUSED);
      await opened.context.close();
    });
  }

  async function everyPage({ page, assertAccessible, shoot }: OpenPage, view: View) {
    await signIn(page, adaKey);
    for (const name of ['Withdrawal addresses', 'Approvals', 'Operators', 'Recovery']) {
      await goTo(page, name);
      await shoot(`operators-${name.toLowerCase().replace(' ', '-')}-${view}`);
      await assertAccessible();
    }
    await page.getByRole('button', { name: 'Check only' }).click();
    await codes(page).waitFor();
    await shoot(`operators-code-${view}`, 'window');
    await assertAccessible();
    await sendCode(page, nextCode());
    await page.getByText('This was a check. Nothing has been booked.').waitFor();
    await shoot(`operators-report-${view}`);
    await assertAccessible();
  }
});

function isSettled({ state }: { state: string }): boolean {
  return state === 'settled';
}
