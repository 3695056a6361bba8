import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { poster as words } from '../../console/messages/poster.ts';
import { messages } from '../../console/messages/shell.ts';
import { fund, newPayer, type Payer } from '../client.ts';
import { enter } from '../contestants.ts';
import { prepareConsole, skip, type View, views } from './console-ground.ts';
import { injectWallet, WALLET_NAME } from './console-wallet.ts';

/** Held back while it is set, so that a page can be left in the middle of paying. */
let gate: Promise<void> | null = null;
const ground = await prepareConsole({
  env: { LIMIT_POSTER_PER_MINUTE: '100000' },
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      async settle(payment) {
        await gate;
        return await facilitator.settle(payment);
      },
    },
  }),
});

const everyView = Object.keys(views) as View[];
// x402 asks for a payment by 402, which a browser notes as a failed request.
const PAYING = /402/;
const AGENTS = 8;

describe('the pages of a poster', { skip }, () => {
  assert.ok(ground);
  const { world, open } = ground;
  const { url, service } = world;
  const projectPath = /\/poster\/projects\/([0-9a-f-]{36})$/;

  /** A browser with a wallet, at the sign-in page. */
  async function visit(payer: Payer, view: View = 'light') {
    const opened = await open('/', view);
    const wallet = await injectWallet(opened.page, payer.account);
    await opened.page.goto(`${url}/poster`);
    return { ...opened, wallet };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByRole('heading', { level: 1, name: words.home.title }).waitFor();
  }

  /** A draft that is saved. */
  async function write(page: Page, { title, prize, fee }: { title: string; prize: string; fee: string }) {
    await page.getByRole('link', { name: words.home.new }).first().click();
    await page.getByLabel(words.draft.title).fill(title);
    await page
      .getByLabel(words.draft.description)
      .fill('A lighthouse at dusk, calm water, one boat, and room for a title.');
    await page.getByLabel('Illustration', { exact: true }).check();
    await page.getByRole('textbox', { name: words.draft.prize }).fill(prize);
    await page.getByRole('textbox', { name: words.draft.fee }).fill(fee);
    await page.getByText(words.save.saved).waitFor();
  }

  const publishButton = (page: Page) => page.getByRole('button', { name: /^Pay [\d.,]+ USDC$/ });

  async function openedProject(page: Page): Promise<string> {
    await page.waitForURL(projectPath);
    return projectPath.exec(page.url())?.[1] ?? assert.fail(page.url());
  }

  /** In every view that a page is looked at in; the colours are the system's. */
  async function look(page: Page, name: string, { shoot, assertAccessible }: Awaited<ReturnType<typeof open>>) {
    for (const view of everyView) {
      await page.setViewportSize(views[view].viewport);
      await page.emulateMedia({ colorScheme: views[view].colorScheme });
      // What the bar at the top happens to cover is no flaw of the page.
      await page.evaluate('scrollTo(0, 0)');
      await shoot(`poster-${name}-${view}`);
      await assertAccessible();
    }
    await page.setViewportSize(views.light.viewport);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('from the signature to the payout: drafts, publishes, sees eight entries come, judges by keyboard, pays', async () => {
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
    await page.getByText(words.account.signedInAs('Almanac House')).waitFor();
    await look(page, 'empty', opened);

    await write(page, { title: 'First light: a cover for an almanac', prize: '100', fee: '0.25' });
    await page.reload();
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'First light: a cover for an almanac');
    await page.getByText(words.save.saved).waitFor();
    await page.getByText('95.00').first().waitFor();
    await page.getByText(words.draft.preview).click();
    await look(page, 'draft', opened);

    // A refused signature charges nothing, and there is a way on.
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

    // They appear without a reload.
    const contestants = [];
    for (let seed = 1; seed <= AGENTS; seed += 1) contestants.push(await enter(world, { id }, { seed }));
    await page.getByText(words.gallery.loaded(AGENTS, AGENTS)).waitFor();
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
    await closing.getByRole('button', { name: words.actions.close }).click();
    await page.getByText(words.facts.judgeUntil).waitFor();
    await look(page, 'judging', opened);

    await page.locator('[data-entry]').filter({ hasText: '5/5' }).press('Enter');
    await page.getByRole('button', { name: words.viewer.choose }).click();
    const award = page.getByRole('dialog', { name: words.award.title });
    await award.getByText(words.award.text('95.00', 'Test agent', 'Lighthouse at dusk')).waitFor();
    await look(page, 'award', opened);
    await award.getByRole('button', { name: words.award.confirm('95.00') }).click();
    await page.getByText(messages.status.completed).first().waitFor();
    const hash = await page
      .getByRole('button', { name: /^Copy Transaction: / })
      .first()
      .getAttribute('title');
    const [payout] = await service.deps.db<{ tx: string }[]>`select tx_hash as tx from payments where kind = 'payout'`;
    assert.equal(hash, payout?.tx);
    const winner = contestants[1] ?? assert.fail();
    assert.equal(await service.deps.chain.balanceMicro(winner.payer.address), 95_000_000 + 1_000_000 - 250_000);
    await page.waitForLoadState('networkidle');
    await look(page, 'completed', opened);

    await page.getByRole('link', { name: words.home.title }).click();
    await page.getByText('First light').waitFor();
    await look(page, 'home', opened);
    await page.getByRole('button', { name: words.account.signOut }).click();
    await page.getByRole('heading', { level: 1, name: words.signIn.title }).waitFor();
    assertQuiet(PAYING);
    await context.close();
  });

  /** The first three are scored, the second gets feedback in its viewer, two are compared. */
  async function judgeByKeyboard(page: Page, opened: Awaited<ReturnType<typeof open>>) {
    const said = async (text: string) => await page.locator('[data-entry]').getByText(text).first().waitFor();
    await page.locator('[data-entry]').first().focus();
    await page.keyboard.press('3');
    await said('3/5');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('5');
    await said('5/5');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('2');
    await said('2/5');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('f');
    await page.keyboard.type('The light is just right.');
    await page.getByRole('button', { name: words.viewer.save }).click();
    await page.getByRole('dialog').getByText(words.viewer.saved, { exact: true }).waitFor();
    await look(page, 'viewer', opened);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Back where it was opened.
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('c');
    await page.keyboard.press('v');
    await page.getByRole('dialog', { name: words.viewer.compare }).waitFor();
    await look(page, 'compare', opened);
    await page.keyboard.press('Escape');
    await look(page, 'gallery', opened);
    await page.getByLabel(words.gallery.filter).selectOption('unscored');
    await page.getByText(words.gallery.loaded(AGENTS - 3, AGENTS)).waitFor();
    await page.getByLabel(words.gallery.filter).selectOption('all');
  }

  it('a page that is left in the middle of paying pays once, and finds its brief open', async () => {
    const payer = newPayer();
    const { page, wallet, assertQuiet, context } = await visit(payer);
    await signIn(page);
    await write(page, { title: 'Left in the middle', prize: '2', fee: '0' });
    await fund(url, payer.address, 5);
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    await publishButton(page).click();
    await page.getByText(words.publish.keepOpen).waitFor();
    const signatures = () => wallet.asked.filter((method) => method === 'eth_signTypedData_v4').length;
    assert.equal(signatures(), 1);
    await page.reload();
    await page.getByText(words.publish.resuming).waitFor();
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

  it('of two posters one never sees what is the other’s', async () => {
    const [first, second] = [await visit(newPayer()), await visit(newPayer())];
    await signIn(first.page);
    await write(first.page, { title: 'Nobody else’s', prize: '2', fee: '0' });
    await signIn(second.page);
    await second.page.getByText(words.home.empty.title).waitFor();
    await second.page.goto(first.page.url());
    await second.page.getByRole('alert').filter({ hasText: messages.errors.missing.title }).waitFor();
    assert.equal(await second.page.getByText('Nobody else’s').count(), 0);
    // Nor after signing in as somebody else in the same browser.
    await first.page.goto(`${url}/poster`);
    await first.page.getByRole('link', { name: 'Nobody else’s' }).waitFor();
    await first.page.getByRole('button', { name: words.account.signOut }).click();
    await first.page.getByRole('button', { name: words.signIn.test }).click();
    await first.page.getByText(words.home.empty.title).waitFor();
    assert.equal(await first.page.getByText('Nobody else’s').count(), 0);
    first.assertQuiet();
    second.assertQuiet(/404/);
    await Promise.all([first.context.close(), second.context.close()]);
  });

  it('a newcomer with a phone and no extension signs in, gets test money, and publishes', async () => {
    const opened = await open('/poster', 'phone');
    const { page, assertQuiet, context } = opened;
    await page.getByRole('button', { name: words.signIn.test }).click();
    await page.getByRole('heading', { level: 1, name: words.home.title }).waitFor();
    await write(page, { title: 'From a phone', prize: '3', fee: '0' });
    await page.getByRole('button', { name: words.publish.faucet('3') }).click();
    await page.getByText(words.publish.faucetDone('3')).waitFor();
    await opened.assertAccessible();
    await publishButton(page).click();
    await openedProject(page);
    await page.getByText(words.gallery.none.title).waitFor();
    assertQuiet(PAYING);
    await context.close();
  });

  it('what is typed without a connection is saved when it is back, and over a reload what is wrong stays', async () => {
    const { page, context, assertQuiet } = await visit(newPayer());
    await signIn(page);
    await write(page, { title: 'Before the tunnel', prize: '2', fee: '0' });
    await context.setOffline(true);
    await page.getByLabel(words.draft.title).fill('In the tunnel');
    await page.getByText(words.save.offline).waitFor();
    await context.setOffline(false);
    await page.getByText(words.save.saved).waitFor();
    await page.getByRole('textbox', { name: words.draft.prize }).fill('0.5');
    await page.getByText(words.save.invalid(words.draft.named.prize_amount)).waitFor();
    await page.reload();
    assert.equal(await page.getByRole('textbox', { name: words.draft.prize }).inputValue(), '0.5');
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'In the tunnel');
    await page.getByText('At least 1 USDC').waitFor();
    assert.equal(await publishButton(page).isDisabled(), true);
    assertQuiet(/ERR_INTERNET_DISCONNECTED/);
    await context.close();
  });
});
