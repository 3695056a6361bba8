import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import {
  createIntent,
  drawing,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  requestUpload,
} from '../support/clients/journey.ts';
import { newOperator } from '../support/clients/operators.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { ownProject } from '../support/endings/ending.ts';
import { areaOf } from '../support/console/console-signed-in.ts';
import { skip, startBrowser } from '../support/console/console-world.ts';

// A database is restored from a copy that lacks the newest transfers: a prize, a fee, and a withdrawal. The service starts
// on it, and the operator recovers it by the pages alone.

const CALM = { reducedMotion: 'reduce' } as const;
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });

describe('an operator recovers a restored database from the page', { skip }, async () => {
  const { open } = await startBrowser();
  const ground = await prepareWorld({ console: true });
  const restored = await testDatabase();
  const lost = await ground.start();
  const { url } = lost;
  const { chain, treasury, operatorKey: key } = ground;
  const market = { url, mintUsdc: ground.mintUsdc };
  const operator = { url, operatorKey: key };
  const bank = newPayer().address.toLowerCase();
  const ada = await newOperator(operator, 'money', 'admin');
  let seed = 600;

  async function judged(): Promise<{ project: OpenProject; winner: Contestant }> {
    const project = await openProject(market, { prizeUsdc: 10, entryFeeUsdc: 0.25 });
    const winner = await enter(market, project, { picture: await drawing((seed += 1)) });
    expectStatus(await close(market, project), 200);
    return { project, winner };
  }

  async function award({ project, winner }: Awaited<ReturnType<typeof judged>>): Promise<void> {
    expectStatus(await choose(market, project, winner), 200);
    await until('the prize', async () => (await ownProject(market, project))['payout_status'] === 'settled');
  }

  // What the copy has.
  await award(await judged());
  const awarded = await judged();
  const later = await judged();
  const entered = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  const { id: submissionId } = await createIntent(url, awarded.winner.key, entered.id);
  const listed = { address: bank, reason: 'Our bank' };
  expectStatus(await call(url, 'POST', '/operator/withdrawal-addresses', { key, body: listed }), 201);
  await ledger(operator);
  await copyDatabase(ground.db, restored.db);

  // What it lacks.
  await award(awarded);
  const request = { key: awarded.winner.key, projectId: entered.id, submissionId, sizeBytes: 1000 };
  expectStatus(await requestUpload(url, { ...request, fetch: awarded.winner.payer.pay }), 200);
  const body = { amount_usdc: 0.1, recipient: bank, reason: 'Wages of November' };
  expectStatus(await call(url, 'POST', '/operator/withdrawals', { key, body }), 201);
  await until('the withdrawal', async () => (await chain.balanceMicro(bank)) === 100_000);
  const addresses = [treasury, bank, awarded.winner.payer.address, later.winner.payer.address];
  const balances = () => Promise.all(addresses.map((address) => chain.balanceMicro(address)));
  const held = await balances();
  await lost.running.kill('SIGKILL');
  await ground.start(Number(new URL(url).port), restored.url);
  await until('the comparison', async () => {
    const rows = await restored.db`select 1 from recovery_state where needed_since is not null`;
    return rows.length === 1;
  });

  const stopped = (page: Page) =>
    page.getByRole('link', { name: 'The database is older than the chain. No money moves until a recovery has run.' });

  /** The books balance and match the chain. What the operator adopted is missing for others until fees cover it. */
  async function assertBooksMatch(): Promise<void> {
    const { problems, balanced, chain_matches, accounts } = await ledger(operator);
    assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
    const micro = (name: string) => accounts.find(({ account }) => account === name)?.balance_micro ?? 0;
    assert.deepEqual([micro('unexplained'), micro('treasury')], [100_000, await chain.balanceMicro(treasury)]);
  }

  const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

  async function run(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Run recovery' }).click();
    const dialog = page.getByRole('dialog', { name: 'Run the recovery?' });
    await dialog.getByRole('button', { name: 'Run recovery' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('The recovery has run.').waitFor();
  }

  it('from the overview to books that equal the chain', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await open(url, '/operator', 'light', CALM);
    await signIn(page, ada.key, 'Overview');
    await stopped(page).waitFor();
    await assertAccessible();
    await shoot('operator-recovery-needed');
    await stopped(page).click();
    await page.getByRole('heading', { name: 'Recovery', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Check only' }).click();
    await page.getByText('This was a check. Nothing has been booked.').waitFor();
    await rowOf(page, /^Out .*9\.50/).waitFor();
    await rowOf(page, /^In .*0\.25/).waitFor();
    await rowOf(page, /^Out Unknown 0\.10/).waitFor();
    assert.equal((await ownProject(market, awarded.project))['status'], 'judging', 'a check books nothing');

    await run(page);
    await page.getByText('Not recovered yet').waitFor();
    await rowOf(page, /^Out Booked 9\.50/).waitFor();
    await page.getByRole('button', { name: 'Adopt the transfer of 0.10 USDC' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Wages of November, lost in the restore');
    await dialog.getByRole('button', { name: 'Adopt' }).click();
    await rowOf(page, /^Out Adopted 0\.10/).waitFor();
    await assertAccessible();
    await shoot('operator-recovery-adopted');

    await run(page);
    await page.getByText('The database has every transfer of these blocks.').waitFor();
    assert.equal(await page.getByText('Not recovered yet').count(), 0);
    await goTo(page, 'Overview');
    await stopped(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByText('Matches the chain').first().waitFor();
    assertQuiet();
    await context.close();
  });

  it('and the award, the fee, and every balance are as they were', async () => {
    const { status, winner_submission_id: winner } = await ownProject(market, awarded.project);
    assert.deepEqual([status, winner], ['completed', awarded.winner.submissionId]);
    const [fee] = await restored.db`select entry_fee_paid_micro as micro from submissions where id = ${submissionId}`;
    assert.equal(fee?.['micro'], 250_000);
    assert.deepEqual(await balances(), held, 'a recovery moves no money');
    await assertBooksMatch();
  });

  it('and money flows again', async () => {
    const before = await chain.balanceMicro(later.winner.payer.address);
    await award(later);
    assert.equal(await chain.balanceMicro(later.winner.payer.address), before + 9_500_000);
    await assertBooksMatch();
  });
});
