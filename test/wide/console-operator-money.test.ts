import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import { entriesOf } from '../support/clients/entries.ts';
import {
  drawing,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  requestUpload,
} from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { operator } from '../support/console/console-operator-seed.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';

// The operator decides results on hold, ends projects, and lets money go that waits.

const HOUR_MS = 3_600_000;
const consoleWorld = await startConsoleWorld({
  env: {
    AUTO_PAYOUT_HOLD_HOURS: '24',
    PAYOUT_CAP_USDC: '100',
    PAYOUT_DAILY_CAP_USDC: '100',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '1000',
  },
});
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });
const NARROW = { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' } as const;

describe("the operator's decisions about money in a browser", { skip }, () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, clock, operatorKey } = world;
  let seed = 400;

  async function entered(title: string, prizeUsdc = 4, count = 2) {
    const deadline = new Date(clock.now().getTime() + HOUR_MS);
    const fields = { title, judging_hours: 1 };
    const project = await openProject(world, { prizeUsdc, entryFeeUsdc: 0.1, deadline, fields });
    const entries: Contestant[] = [];
    for (let index = 0; index < count; index += 1)
      entries.push(await enter(world, project, { picture: await drawing((seed += 1)) }));
    return { project, entries };
  }

  /** A project that its poster left to silence, with its result on hold. */
  async function onHold(title: string) {
    const { project, entries } = await entered(title);
    clock.offsetMs += HOUR_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    clock.offsetMs += HOUR_MS;
    await until('a result on hold', async () => (await ownProject(world, project))['result_on_hold'] !== null);
    return { project, entries };
  }

  const object = ({ key, submissionId }: Contestant, reason: string) =>
    call(url, 'POST', `/agents/me/submissions/${submissionId}/objection`, { key, body: { reason } });
  const projectOf = async ({ id }: OpenProject) => (await operator(world, `/operator/projects/${id}`)).project;

  /** Opens the page of a project. */
  async function openDetail(page: Page, title: string) {
    await goTo(page, 'Projects');
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('heading', { name: title }).first().waitFor();
    await settled(page);
  }

  async function act(page: Page, button: string, { reason, confirm }: { reason: string; confirm: string }) {
    await page.getByRole('button', { name: button }).first().click();
    const dialog = page.getByRole('dialog');
    // Without a reason, nothing happens.
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    assert.ok(await dialog.isVisible());
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  it('decides an objection, holds and releases the result', async () => {
    const { project, entries } = await onHold('A weather vane');
    expectStatus(await object(entries[0]!, 'The second entry is a copy of mine'), 201);
    expectStatus(await object(entries[1]!, 'No one looked at it'), 201);
    // Stands for a model that could not score an entry, which test/journeys/ai-judge.test.ts asks.
    const { db } = world.service.deps;
    await db`
      insert into ai_judging (project_id, state, due_at, updated_at)
      values (${project.id}, 'impossible', ${clock.now()}, ${clock.now()})`;
    await db`
      insert into ai_scores (submission_id, project_id, unscorable, updated_at)
      values (${entries[1]!.submissionId}, ${project.id}, 'no usable answer', ${clock.now()})`;
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(
      '/operator',
      'light',
      NARROW,
    );
    await signIn(page, operatorKey, 'Overview');
    await page.getByRole('link', { name: '2 objections need a decision.' }).click();
    await page.getByRole('cell', { name: 'The second entry is a copy of mine' }).waitFor();
    await shoot('operator-objections-320');
    await assertAccessible();
    await act(page, 'Dismiss objection', { reason: 'The pictures differ', confirm: 'Dismiss' });
    await act(page, 'Uphold objection', { reason: 'It needs a second look', confirm: 'Uphold' });
    await page.getByLabel('Decision').selectOption('upheld');
    await page.getByRole('cell', { name: 'It needs a second look' }).waitFor();
    assert.equal((await projectOf(project)).result_on_hold.payout_held_until, null);

    await openDetail(page, 'A weather vane');
    await page.getByText('Result on hold').waitFor();
    await page
      .getByText(/^Objection: /)
      .or(page.getByText('Objection: No one looked at it'))
      .first()
      .waitFor();
    await shoot('operator-on-hold-320');
    await assertAccessible();
    assert.equal(await page.getByRole('button', { name: 'Hold payout' }).count(), 0);
    await act(page, 'Release payout', { reason: 'The result is right', confirm: 'Release payout' });
    await until('the shares', async () => (await projectOf(project)).payout_status === 'settled');
    assert.equal((await projectOf(project)).status, 'completed');
    assertQuiet();
    await context.close();
  });

  it('holds a result, awards one project, shares another, and cancels one for a fee', async () => {
    const held = await onHold('A door handle');
    const shared = await entered('A bench');
    const cancelled = await entered('A broken promise');
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(
      '/operator',
      'light',
      NARROW,
    );
    await signIn(page, operatorKey, 'Overview');
    await openDetail(page, 'A door handle');
    await act(page, 'Hold payout', { reason: 'Somebody wrote to us', confirm: 'Hold payout' });
    await page.getByText('An operator holds the payout: Somebody wrote to us').waitFor();
    await act(page, 'Award prize to', { reason: 'The only one on the subject', confirm: 'Award prize' });
    await until('the award', async () => (await projectOf(held.project)).awarded_at !== null);
    await page.getByText('Winner').first().waitFor();

    await openDetail(page, 'A bench');
    await page.getByRole('button', { name: 'Share prize' }).click();
    await shoot('operator-share-320', 'window');
    await assertAccessible();
    await page.keyboard.press('Escape');
    await act(page, 'Share prize', { reason: 'The poster is gone', confirm: 'Share prize' });
    await until('the shares', async () => (await projectOf(shared.project)).awarded_at !== null);

    await openDetail(page, 'A broken promise');
    await page.getByRole('button', { name: 'Cancel project' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Keep the platform fee of the prize').check();
    await dialog.getByLabel('Reason').fill('Asked for stolen work');
    await dialog.getByRole('button', { name: 'Cancel project' }).click();
    await page.getByText('Canceled by', { exact: true }).waitFor();
    await page.getByText('The operator', { exact: true }).waitFor();
    await shoot('operator-cancelled-320');
    await assertAccessible();
    const money = expectStatus(await call(url, 'GET', `/projects/${cancelled.project.id}/money`), 200).body.data;
    assert.ok(money.platform_fee_micro > 0, JSON.stringify(money));
    assertQuiet();
    await context.close();
  });

  it('gives a stray transfer back', async () => {
    const { enter: intend, richPayer } = entriesOf(world);
    const project = await openProject(world, { deadline: new Date(clock.now().getTime() + HOUR_MS) });
    const [entry, payer] = [await intend(project.id), await richPayer()];
    await executeOutside(world.chain.rpcUrl, payer, await requestUpload(url, entry));
    await ledger(world);
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(
      '/operator',
      'light',
      NARROW,
    );
    await signIn(page, operatorKey, 'Overview');
    await goTo(page, 'Stray transfers');
    await page.getByRole('row', { name: /Unclaimed 0.25/ }).waitFor();
    await shoot('operator-strays-320');
    await assertAccessible();
    await act(page, 'Return 0.25 USDC', { reason: 'Sent by mistake', confirm: 'Return' });
    await page.getByRole('row', { name: /Returned 0.25/ }).waitFor();
    const back = async () => (await operator(world, '/operator/strays')).strays[0].payout?.state === 'settled';
    await until('the money is back', back);
    assertQuiet();
    await context.close();
  });

  it('releases the payouts that a daily cap holds', async () => {
    for (const title of ['A first poster', 'A second poster']) {
      const { project, entries } = await entered(title, 80, 1);
      expectStatus(await close(world, project), 200);
      expectStatus(await choose(world, project, entries[0]!), 200);
    }
    const capped = async () => (await operator(world, '/operator/payouts?state=held')).payouts;
    await until('a payout that the cap holds', async () => (await capped()).length > 0);
    assert.notEqual((await capped())[0].held_until, null);
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open(
      '/operator',
      'light',
      NARROW,
    );
    await signIn(page, operatorKey, 'Overview');
    await goTo(page, 'Payouts');
    await page
      .getByText(/^Resumes /)
      .first()
      .waitFor();
    await shoot('operator-payouts-320');
    await assertAccessible();
    await act(page, 'Release capped payouts', { reason: 'A busy day', confirm: 'Release capped payouts' });
    await until('nothing is held', async () => (await capped()).length === 0);
    assertQuiet();
    await context.close();
    await assertBooks(world);
  });
});
