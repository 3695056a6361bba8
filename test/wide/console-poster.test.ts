import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { messages, poster as words, walletText } from '../../console/messages/public.ts';
import { fund, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { type OpenPage, startConsoleWorld, skip } from '../support/console/console-world.ts';
import { PAYING, posterSteps } from '../support/console/console-poster-steps.ts';
import { WALLET_NAME } from '../support/console/console-wallet.ts';

const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const AGENTS = 8;

describe('a brief in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url, service } = world;
  const { visit, signIn, write, publishButton, openedProject, look } = posterSteps(consoleWorld);

  it('without a wallet: reads what a wallet is, how to get one, and where the guide is', async () => {
    const opened = await open('/', 'phone');
    const { page, assertQuiet, context } = opened;
    // Only a development start has a test wallet.
    await page.route(/\/api\/v1\/network$/, async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = (await answer.json()) as { data: object };
      await route.fulfill({ json: { ...rest, data: { ...data, development: false } } });
    });
    await page.goto(`${url}/poster`);
    await page.getByText(walletText.none.how).waitFor();
    await page.getByText(walletText.none.text).waitFor();
    await look(page, 'no-wallet', opened);
    await page.getByRole('main').getByRole('link', { name: messages.footer.posters }).click();
    await page.locator('h2#the-pages').waitFor();
    assertQuiet();
    await context.close();
  });

  it('sign-in, draft, publishing, eight entries, judging by keyboard, payout', async () => {
    const payer = newPayer();
    const opened = await visit(payer);
    const { page, wallet, assertQuiet, context } = opened;
    await page.getByRole('button', { name: WALLET_NAME }).waitFor();
    await look(page, 'sign-in', opened);
    wallet.refuses = true;
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByRole('alert').filter({ hasText: words.signIn.refused }).waitFor();
    wallet.refuses = false;
    await page.getByLabel(words.signIn.name).fill('Almanac House');
    await signIn(page);
    await page.getByText(words.account.signedInAs({ name: 'Almanac House' })).waitFor();
    await look(page, 'empty', opened);

    await page.getByRole('link', { name: words.home.new }).first().click();
    await page.getByLabel(words.draft.title).waitFor();
    await look(page, 'new', opened);
    await page.goBack();
    await write(page, { title: 'First light: a cover for an almanac', prize: '100', fee: '0.25' });
    await page.reload();
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'First light: a cover for an almanac');
    await page.getByText(words.save.saved).waitFor();
    await page.getByText('95.00').first().waitFor();
    await page.getByText(words.draft.preview).click();
    await look(page, 'draft', opened);

    // A rejected signature charges nothing, and the poster can try again.
    await fund(url, payer.address, 100);
    wallet.refuses = true;
    await publishButton(page).click();
    await page.getByRole('alert').filter({ hasText: words.publish.refused }).waitFor();
    await look(page, 'refused', opened);
    wallet.refuses = false;
    await publishButton(page).click();
    const id = await openedProject(page);
    assert.ok(wallet.asked.includes('eth_signTypedData_v4'));
    await page.getByText(words.gallery.none.title).waitFor();
    await look(page, 'open', opened);

    // Entries appear without a reload.
    const contestants = [];
    for (let seed = 1; seed <= AGENTS; seed += 1) contestants.push(await enter(world, { id }, { seed }));
    await page.getByText(words.gallery.loaded({ shown: AGENTS, total: AGENTS, all: 'true' })).waitFor();
    assert.equal(await page.locator('[data-entry]').count(), AGENTS);

    await judgeByKeyboard(page, opened);
    const scores = await service.deps.db<{ score: number | null; feedback: string | null }[]>`
      select score, feedback from submissions where project_id = ${id} order by submitted_at`;
    assert.deepEqual(
      scores.map(({ score }) => score),
      [3, 5, 2, null, null, null, null, null],
    );
    assert.equal(scores[1]?.feedback, 'The light is just right.');
    assert.equal(await page.getByRole('button', { name: words.actions.cancel }).isDisabled(), true);
    await page.getByText(words.actions.cancelNot).waitFor();

    await page.getByRole('button', { name: words.actions.close }).click();
    const closing = page.getByRole('dialog', { name: words.actions.closeTitle });
    await closing.getByText(words.actions.closeText({ notice: 'none' })).waitFor();
    await look(page, 'close', opened, 'window');
    await closing.getByRole('button', { name: words.actions.close }).click();
    await page.getByText(words.facts.judgeUntil).waitFor();
    await page.getByText(words.actions.over).waitFor();
    await look(page, 'judging', opened);

    await page.locator('[data-entry]').filter({ hasText: '5/5' }).press('Enter');
    await page.getByRole('button', { name: words.viewer.choose }).click();
    const award = page.getByRole('dialog', { name: words.award.title });
    await award
      .getByText(words.award.text({ amount: '95.00', agent: 'Test agent', entry: 'Lighthouse at dusk' }))
      .waitFor();
    await look(page, 'award', opened, 'window');
    await award.getByRole('button', { name: words.award.confirm({ amount: '95.00' }) }).click();
    await page.getByText(messages.status.completed).first().waitFor();
    const hash = await page
      .getByRole('button', { name: /^Copy transaction hash: / })
      .first()
      .getAttribute('title');
    const [payout] = await service.deps.db<{ tx: string }[]>`select tx_hash as tx from payments where kind = 'payout'`;
    assert.equal(hash, payout?.tx);
    const winner = contestants[1] ?? assert.fail();
    assert.equal(await service.deps.chain.balanceMicro(winner.payer.address), 95_000_000 + 1_000_000 - 250_000);
    await page.getByRole('row', { name: /^Prize 95\.00 USDC Settled/ }).waitFor();
    await page.waitForLoadState('networkidle');
    await look(page, 'completed', opened);

    await page.getByRole('link', { name: words.home.title, exact: true }).click();
    // The project's own page also shows its title, so wait for the list first.
    await page.locator('a[href="/poster/draft"]').first().waitFor();
    await page.getByText('First light').waitFor();
    const colors = 'getComputedStyle(document.querySelector(\'a[href="/poster/draft"]\'))';
    assert.notEqual(await page.evaluate(`${colors}.color`), await page.evaluate(`${colors}.backgroundColor`));
    await look(page, 'home', opened);
    await page.getByRole('button', { name: words.account.signOut }).click();
    await page.getByRole('heading', { level: 1, name: words.signIn.title }).waitFor();
    assertQuiet(PAYING);
    await context.close();
  });

  /** Scores the first three entries, gives feedback for the second in the viewer, and compares two. */
  async function judgeByKeyboard(page: Page, opened: OpenPage) {
    const waitFor = async (text: string) => await page.locator('[data-entry]').getByText(text).first().waitFor();
    await page.locator('[data-entry]').first().focus();
    await page.keyboard.press('3');
    await waitFor('3/5');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('5');
    await waitFor('5/5');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('2');
    await waitFor('2/5');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('The light is just right.');
    await page.getByRole('button', { name: words.viewer.save }).click();
    await page.getByRole('dialog').getByText(words.viewer.saved, { exact: true }).waitFor();
    await look(page, 'viewer', opened, 'window');
    await page.keyboard.press('z');
    await page.getByRole('region', { name: words.viewer.zoomed }).waitFor();
    await opened.shoot('poster-zoomed-light', 'window');
    await page.keyboard.press('z');
    await page.getByRole('region', { name: words.viewer.zoomed }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The focus is back on the entry.
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('c');
    await page.keyboard.press('v');
    const comparison = page.getByRole('dialog', { name: words.compare.title });
    await comparison.waitFor();
    // The key comes before the browser's step back, which the closing asked for.
    await page.evaluate(`{
      const dialog = document.querySelector('dialog[open]');
      const key = new KeyboardEvent('keydown', { key: 'v', bubbles: true });
      dialog.addEventListener('close', () => document.activeElement.dispatchEvent(key), { once: true });
      dialog.close();
    }`);
    await comparison.waitFor();
    await look(page, 'compare', opened, 'window');
    assert.equal(await comparison.isVisible(), true);
    await page.keyboard.press('Escape');
    await comparison.waitFor({ state: 'detached' });
    await look(page, 'gallery', opened);
    await page.getByLabel(words.gallery.filter).selectOption('unscored');
    await page
      .getByText(words.gallery.loaded({ shown: AGENTS - 3, total: AGENTS, all: String(AGENTS - 3 === AGENTS) }))
      .waitFor();
    await page.getByLabel(words.gallery.filter).selectOption('all');
  }
});
