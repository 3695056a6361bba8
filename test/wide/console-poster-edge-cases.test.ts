import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { messages, poster as words, walletText } from '../../console/messages/public.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { ownProject } from '../support/endings/ending.ts';
import { enter } from '../support/clients/contestants.ts';
import { brief, drawing, openProject, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { type OpenPage, startConsoleWorld, skip } from '../support/console/console-world.ts';
import { PAYING, posterSteps } from '../support/console/console-poster-steps.ts';

/** Whether an element is in the window as a whole. */
async function isInWindow(element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (element.page().viewportSize()?.height ?? 0);
}

/** While set, payments wait for it, so a test can leave the page during a payment. */
let gate: Promise<void> | null = null;
const consoleWorld = await startConsoleWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000' },
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      async settle(payment, prepared) {
        await gate;
        return await facilitator.settle(payment, prepared);
      },
    },
  }),
});

describe('a poster in the browser: edge cases', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url, service } = world;
  const { visit, signIn, signInWithKey, enterKey, write, publishButton, openedProject, look } =
    posterSteps(consoleWorld);

  it('a page that is reloaded during a payment pays once, and the brief opens', async () => {
    const payer = newPayer();
    const opened = await visit(payer);
    const { page, wallet, assertQuiet, context } = opened;
    await signIn(page);
    await write(page, { title: 'Left in the middle', prize: '2', fee: '0' });
    await fund(url, payer.address, 5);
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    await publishButton(page).click();
    await page.getByText(words.publish.keepOpen).waitFor();
    const signatures = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
    assert.equal(signatures(), 1);
    await look(page, 'settling', opened);
    await page.reload();
    await page.getByText(words.publish.resuming).waitFor();
    await opened.shoot('poster-resuming-light');
    held.resolve();
    gate = null;
    const id = await openedProject(page);
    assert.equal(signatures(), 1);
    assert.equal(await service.deps.chain.balanceMicro(payer.address), 3_000_000);
    const paid = await service.deps.db`select 1 from payments where kind = 'escrow' and subject_id = ${id}`;
    assert.equal(paid.length, 1);
    assertQuiet(PAYING);
    await context.close();
  });

  it('posters never see each other’s projects', async () => {
    const [first, second] = [await visit(newPayer()), await visit(newPayer())];
    await signIn(first.page);
    await write(first.page, { title: 'Nobody else’s', prize: '2', fee: '0' });
    await signIn(second.page);
    await second.page.getByText(words.home.empty.title).waitFor();
    await second.page.goto(first.page.url());
    await second.page.getByRole('alert').filter({ hasText: messages.errors.missing.title }).waitFor();
    assert.equal(await second.page.getByText('Nobody else’s').count(), 0);
    // The same holds after another poster signs in in the same browser.
    await first.page.goto(`${url}/poster`);
    await first.page.getByRole('link', { name: 'Nobody else’s', exact: true }).waitFor();
    await first.page.getByRole('button', { name: words.account.signOut }).click();
    await first.page.getByRole('button', { name: walletText.test }).click();
    await first.page.getByText(words.home.empty.title).waitFor();
    assert.equal(await first.page.getByText('Nobody else’s').count(), 0);
    first.assertQuiet();
    second.assertQuiet(/404/);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  /** Checks the line with the cost and the way to the publish panel, which are below the form in narrow windows. */
  async function publishLine({ page, shoot, assertAccessible }: OpenPage) {
    const toPublish = page.getByRole('button', { name: words.publish.title, exact: true });
    for (const [width, colorScheme] of [
      [320, 'dark'],
      [320, 'light'],
      [390, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate('scrollTo(0, 0)');
      const line = toPublish.locator('..');
      assert.match((await line.textContent()) ?? '', /You pay now.*3\.00/);
      assert.ok(await isInWindow(line), `the line is in the window at ${width}`);
      await shoot(`poster-publish-line-${width}-${colorScheme}`, 'window');
      await assertAccessible();
    }
    await toPublish.click();
    await page.locator('h2:focus', { hasText: words.publish.title }).waitFor();
    assert.ok(await isInWindow(publishButton(page)), 'the button that pays is in the window');
  }

  it('a new poster with a phone and no extension signs in, gets test money, and publishes', async () => {
    const opened = await open('/poster', 'phone');
    const { page, assertQuiet, context } = opened;
    await page.getByRole('button', { name: walletText.test }).click();
    await page.getByRole('heading', { level: 1, name: words.home.title }).waitFor();
    await write(page, { title: 'From a phone', prize: '3', fee: '0' });
    await publishLine(opened);
    // An empty wallet cannot pay. The failure disappears when the faucet fills the wallet.
    const failure = page.getByRole('alert').filter({ hasText: words.publish.failed({ why: '' }).trim() });
    await publishButton(page).click();
    await failure.waitFor();
    await page.getByRole('button', { name: words.publish.faucet({ amount: '3' }) }).click();
    await page.getByText(words.publish.faucetDone({ amount: '3' })).waitFor();
    assert.equal(await failure.count(), 0);
    await opened.shoot('poster-newcomer-pays-phone');
    await opened.assertAccessible();
    await publishButton(page).click();
    await openedProject(page);
    await page.getByText(words.gallery.none.title).waitFor();
    await opened.shoot('poster-newcomer-open-phone');
    assertQuiet(PAYING);
    await context.close();
  });

  it('with a key: extends a deadline, cancels a brief, and the prize is refunded', async () => {
    const project = await openProject(world, { prizeUsdc: 4, entryFeeUsdc: 0 });
    const opened = await open('/poster');
    const { page, assertQuiet, context } = opened;
    await signInWithKey(page, project.poster.key);
    await page.getByRole('link', { name: brief().title, exact: true }).click();
    await page.getByText(words.actions.closeNot).waitFor();
    const deadline = page.getByLabel(words.actions.extendLabel);
    const extend = page.getByRole('button', { name: words.actions.extendButton });
    await deadline.fill('2026-01-01T10:00');
    await extend.click();
    await page.getByText(words.actions.extendWrong).waitFor();
    await look(page, 'extend', opened);
    await deadline.fill('2099-01-01T10:00');
    await extend.click();
    // The service names the latest deadline.
    await page.getByText(/later than \d{4}-\d{2}-\d{2}T/).waitFor();
    const day = new Date(world.clock.now().getTime() + 10 * 86_400_000).toISOString().slice(0, 10);
    await deadline.fill(`${day}T10:00`);
    await extend.click();
    await until('the deadline is moved', async () =>
      String((await ownProject(world, project))['auto_select_deadline']).startsWith(day),
    );
    await page.getByRole('button', { name: words.actions.cancel }).click();
    const dialog = page.getByRole('dialog', { name: words.actions.cancelTitle });
    await dialog.getByText(words.actions.cancelText({ amount: '4.00' })).waitFor();
    await dialog.getByLabel(words.actions.cancelReason).fill('The almanac is not printed');
    await look(page, 'cancel', opened, 'window');
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    await dialog.getByRole('button', { name: words.actions.cancel }).click();
    await page.getByText(words.cancelled.reason({ reason: 'The almanac is not printed' })).waitFor();
    await page.getByText(words.payout.kinds.refund).first().waitFor();
    await look(page, 'paying', opened);
    held.resolve();
    gate = null;
    await page.locator('li[data-state="done"]').filter({ hasText: words.payout.settled }).waitFor();
    await look(page, 'cancelled', opened);
    assert.equal(await service.deps.chain.balanceMicro(project.funder.address), 4_000_000);
    assertQuiet(/400/);
    await context.close();
  });

  it('after a session ended elsewhere, signing in again restores the page and the typed text', async () => {
    const { key } = await registerPoster(url);
    const opened = await open('/poster');
    const { page, assertQuiet, context } = opened;
    await signInWithKey(page, key);
    await write(page, { title: 'Before it ended', prize: '2', fee: '0' });
    assert.equal((await call(url, 'DELETE', '/posters/session', { key })).body.data.ended, 1);
    await page.getByLabel(words.draft.title).fill('After it ended');
    await page.getByRole('alert').filter({ hasText: words.signIn.expired }).waitFor();
    await look(page, 'expired', opened);
    await enterKey(page, key);
    await page.getByText(words.save.saved).waitFor();
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'After it ended');
    const { projects } = (await call(url, 'GET', '/posters/me/projects', { key })).body.data;
    assert.deepEqual(
      projects.map(({ title }: { title: string }) => title),
      ['After it ended'],
    );
    await page.getByRole('button', { name: words.draft.delete }).click();
    await page.getByRole('dialog').getByText(words.draft.deleteText).waitFor();
    await look(page, 'delete', opened, 'window');
    await page.getByRole('dialog').getByRole('button', { name: words.draft.delete }).click();
    await page.getByText(words.home.empty.title).waitFor();
    assertQuiet(/401/);
    await context.close();
  });

  it('the home page shows what waits first, with a picture and the entries to score', async () => {
    const poster = await registerPoster(url);
    const later = await openProject(world, { poster, entryFeeUsdc: 0, fields: { title: 'Ends later' } });
    const deadline = new Date(world.clock.now().getTime() + 1_800_000);
    await openProject(world, { poster, entryFeeUsdc: 0, deadline, fields: { title: 'Ends sooner' } });
    await enter(world, later, { picture: await drawing(41) });
    await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief({ fields: { title: 'A draft' } }) });
    const opened = await open('/poster');
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, poster.key);
    const row = page.getByRole('listitem').filter({ hasText: 'Ends later' });
    await row.getByText(words.facts.unscored({ amount: 1 })).waitFor();
    const decoded = `document.querySelector('main li img').decode().then(() => 'shown')`;
    assert.equal(await page.evaluate(decoded), 'shown');
    const titles = page.getByRole('main').getByRole('link', { name: /^(Ends|A draft)/ });
    assert.deepEqual(await titles.allTextContents(), ['Ends sooner', 'Ends later', 'A draft']);
    // The facts of all rows stand in the same columns.
    const lefts = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main li dl > div:nth-child(2)')].map((fact) => fact.getBoundingClientRect().left)`,
    );
    assert.deepEqual([lefts.length, new Set(lefts).size], [3, 1]);
    await look(page, 'home-urgency', opened);
    assertQuiet();
    await context.close();
  });

  it('text typed offline is saved when the connection is back; an invalid value survives a reload', async () => {
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await signIn(page);
    await write(page, { title: 'Before the tunnel', prize: '2', fee: '0' });
    await context.setOffline(true);
    await page.getByLabel(words.draft.title).fill('In the tunnel');
    await page.getByText(words.save.offline).waitFor();
    await look(page, 'offline', opened);
    await context.setOffline(false);
    await page.getByText(words.save.saved).waitFor();
    await page.getByRole('textbox', { name: words.draft.prize }).fill('0.5');
    await page.getByText(words.save.invalid({ fields: words.draft.named.prize_amount })).waitFor();
    await page.reload();
    assert.equal(await page.getByRole('textbox', { name: words.draft.prize }).inputValue(), '0.5');
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'In the tunnel');
    await page.getByText('At least 1 USDC').waitFor();
    await look(page, 'invalid', opened);
    assert.equal(await page.getByRole('button', { name: words.publish.title, exact: true }).isDisabled(), true);
    assertQuiet(/ERR_INTERNET_DISCONNECTED/);
    await context.close();
  });
});
