import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { operator } from '../support/console/console-operator-seed.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';

// Acts on several rows change exactly the rows that the operator sees, and each row has its own result.

const consoleWorld = await startConsoleWorld({
  env: { PAYOUT_CAP_USDC: '10', LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_REGISTRATIONS_PER_HOUR: '1000' },
});
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });
const CALM = { reducedMotion: 'reduce' } as const;
/** The refusal of a row that somebody else has changed meanwhile. */
const CONFLICT = /409/;

describe('acts of the operator on several rows', { skip }, () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, chain, operatorKey: key } = world;

  /** Awards a prize above the cap of one transfer, so that only the operator can release it. */
  async function heldPrize(prizeUsdc: number): Promise<void> {
    const project = await openProject(world, { prizeUsdc, fields: { title: `A prize of ${prizeUsdc}` } });
    const winner = await enter(world, project);
    expectStatus(await close(world, project), 200);
    expectStatus(await choose(world, project, winner), 200);
  }

  type Payout = { id: string; state: string; amount_micro: number };
  const payouts = async (): Promise<Payout[]> => (await operator(world, '/operator/payouts?limit=100')).payouts;
  const payoutOf = async (micro: number): Promise<Payout> => {
    const found = (await payouts()).find(({ amount_micro: amount }) => amount === micro);
    assert.ok(found);
    return found;
  };

  async function confirm(page: Page, reason: string) {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: 'Do it for each' }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  it('releases the held payouts of the filtered list only, and tells which one failed', async () => {
    for (const prize of [20, 30, 40]) await heldPrize(prize);
    await until('held payouts', async () => (await payouts()).filter(({ state }) => state === 'held').length === 3);
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, key, 'Overview');
    await goTo(page, 'Payouts');
    await page.getByRole('button', { name: 'Release held payouts shown here (3)' }).waitFor();
    await page.getByLabel('At least USDC').fill('25');
    const release = page.getByRole('button', { name: 'Release held payouts shown here (2)' });
    await release.waitFor();
    assert.match(decodeURIComponent(page.url()), /min_usdc="25"/);
    await release.click();
    const dialog = page.getByRole('dialog', { name: 'Release 2 held payouts?' });
    assert.deepEqual(
      (await dialog.getByRole('listitem').allTextContents()).map((row) => row.split(' · ').slice(0, 3)),
      [
        ['38.00 USDC', 'Prize', 'A prize of 40'],
        ['28.50 USDC', 'Prize', 'A prize of 30'],
      ],
    );
    await dialog.getByText('66.50 USDC in total').waitFor();
    await shoot('operator-bulk-release', 'window');
    await assertAccessible();

    // Meanwhile, somebody else releases one of them, and it settles.
    const { id } = await payoutOf(38_000_000);
    const body = { reason: 'Known to me' };
    expectStatus(await call(url, 'POST', `/operator/payouts/${id}/retry`, { key, body }), 200);
    await until('the other release', async () => (await payoutOf(38_000_000)).state === 'settled');
    await confirm(page, 'Both winners are known to us');
    await page.getByText('1 done, 0 waiting for a second operator, 1 failed, 0 not tried.').waitFor();
    const results = page.getByRole('region', { name: 'Results', exact: true });
    await results.getByRole('row', { name: /^38.00 USDC.*Failed.*already settled/ }).waitFor();
    await results.getByRole('row', { name: /^28.50 USDC.*Done/ }).waitFor();
    await shoot('operator-bulk-released');
    await assertAccessible();
    await until('the release', async () => (await payoutOf(28_500_000)).state === 'settled');
    assert.equal((await payoutOf(19_000_000)).state, 'held', 'a payout that the list did not show');

    // Without the filter, the last one is left.
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Release held payouts shown here (1)' }).waitFor();
    assertQuiet(CONFLICT);
    await context.close();
    await assertBooks(world);
  });

  it('returns the stray transfers of the filtered list only, without those that nobody sent', async () => {
    const { enter: intend, richPayer } = entriesOf(world);
    const sent = new Map<number, { presentAgain: () => Promise<unknown> }>();
    for (const entryFeeUsdc of [0.25, 0.5, 0.75]) {
      const project = await openProject(world, { entryFeeUsdc });
      const [entry, payer] = [await intend(project.id), await richPayer()];
      const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, entry));
      sent.set(entryFeeUsdc, { presentAgain: async () => await requestUpload(url, { ...entry, headers }) });
    }
    await chain.mintUsdc(world.service.deps.payTo, 900_000);
    await ledger(world);
    type Stray = { amount_micro: number; state: string };
    const strays = async (): Promise<Stray[]> => (await operator(world, '/operator/strays?limit=100')).strays;
    const stateOf = async (micro: number) =>
      (await strays()).find(({ amount_micro: amount }) => amount === micro)?.state;
    assert.equal((await strays()).length, 4);

    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, key, 'Overview');
    await goTo(page, 'Stray transfers');
    await page.getByRole('button', { name: 'Return unclaimed transfers shown here (3)' }).waitFor();
    await page.getByLabel('At least USDC').fill('0.4');
    await page.getByRole('button', { name: 'Return unclaimed transfers shown here (2)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Return 2 stray transfers?' });
    await dialog.getByText('1.25 USDC in total').waitFor();
    await dialog.getByText('1 transfer has no known sender and stays.').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 2);
    await shoot('operator-bulk-return', 'window');
    await assertAccessible();

    // Meanwhile, the agent presents the payment that one of them was, which claims it.
    await sent.get(0.75)?.presentAgain();
    assert.equal(await stateOf(750_000), 'claimed');
    await confirm(page, 'Sent by mistake');
    await page.getByText('1 done, 0 waiting for a second operator, 1 failed, 0 not tried.').waitFor();
    const results = page.getByRole('region', { name: 'Results', exact: true });
    await results.getByRole('row', { name: /^0.75 USDC.*Failed.*claimed/ }).waitFor();
    await results.getByRole('row', { name: /^0.50 USDC.*Done/ }).waitFor();
    assert.deepEqual([await stateOf(500_000), await stateOf(250_000)], ['returned', 'unclaimed']);
    await settled(page);
    assertQuiet(CONFLICT);
    await context.close();
    await until('the money is back', async () => (await payouts()).every(({ state }) => state !== 'ready'));
    await assertBooks(world);
  });
});
