import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { timeOf } from '../../console/format/public.ts';
import { agent as agentWords, market as marketWords, poster as words } from '../../console/messages/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { type Contestant, enter } from '../support/clients/contestants.ts';
import { drawing, expectStatus, openProject, type OpenProject, registerAgent } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { ownProject } from '../support/endings/ending.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { injectWallet, WALLET_NAME } from '../support/console/console-wallet.ts';
import { type OpenPage, skip, startConsoleWorld } from '../support/console/console-world.ts';

// The rules of a fair market in the browser: places, announced ends, results on hold, objections, and wallet changes.

const HOUR_MS = 3_600_000;
const NARROW = { width: 320, height: 640 };
const WIDTHS = '[document.documentElement.scrollWidth, document.documentElement.clientWidth]';

const consoleWorld = await startConsoleWorld({
  env: {
    CLOSE_NOTICE_MINUTES: '15',
    AUTO_PAYOUT_HOLD_HOURS: '24',
    WALLET_CHANGE_HOURS: '72',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_PUBLIC_READS_PER_MINUTE: '100000',
  },
});
const area = areaOf({ label: 'API key of the agent', name: 'Your agent' });

describe('the rules of a fair market in a browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url, clock, operatorKey } = world;
  const { signInWithKey, write, look } = posterSteps(consoleWorld);

  const inAnHour = () => new Date(clock.now().getTime() + HOUR_MS);

  /** Checks a page in every view, and that a narrow window needs no horizontal scrolling. */
  async function inspect(opened: OpenPage, name: string): Promise<void> {
    await settled(opened.page);
    await look(opened.page, name, opened);
    await opened.page.setViewportSize(NARROW);
    const [wide, window] = await opened.page.evaluate<[number, number]>(WIDTHS);
    await opened.shoot(`poster-${name}-narrow`);
    assert.ok(wide <= window, `${name}: ${wide} in ${window}`);
    await opened.page.setViewportSize({ width: 1280, height: 900 });
  }

  /** Opens a page of a project's poster. */
  async function asPoster({ id, poster }: OpenProject): Promise<OpenPage> {
    const opened = await open('/poster');
    await signInWithKey(opened.page, poster.key);
    await opened.page.goto(`${url}/poster/projects/${id}`);
    await opened.page.getByText(words.facts.seePublic).waitFor();
    return opened;
  }

  it('a draft bounds the entries', async () => {
    const { poster } = await openProject(world);
    const opened = await open('/poster');
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, poster.key);
    await write(page, { title: 'Two lighthouses', prize: '10', fee: '0' });
    await page.getByLabel(words.draft.places).fill('1');
    await page.getByText('2 to 10000', { exact: true }).waitFor();
    await page.getByLabel(words.draft.places).fill('2');
    await page.getByText(words.save.saved).waitFor();
    await page.reload();
    assert.equal(await page.getByLabel(words.draft.places).inputValue(), '2');
    await inspect(opened, 'bounded-draft');
    assertQuiet();
    await context.close();
  });

  it('places, the latest deadline, and an announced end', async () => {
    const project = await openProject(world, { prizeUsdc: 10, fields: { max_entries: 2, title: 'Two places' } });
    await enter(world, project, { picture: await drawing(1) });
    const opened = await asPoster(project);
    const { page, context, assertQuiet } = opened;
    await page.getByText(words.facts.placesOf({ left: 1, all: 2 })).waitFor();
    const deadline = Date.parse(String((await ownProject(world, project))['auto_select_deadline']));
    const extended = timeOf(new Date(deadline + 86_400_000).toISOString());
    await page.getByText(words.facts.latest).locator('..').getByText(extended).waitFor();
    await page.getByText(words.actions.extendHint({ latest: extended })).waitFor();
    await page.getByText(words.actions.extendOnce).waitFor();
    await inspect(opened, 'places');
    await page.getByRole('button', { name: words.actions.close }).click();
    const dialog = page.getByRole('dialog', { name: words.actions.closeTitle });
    await dialog.getByText(words.actions.closeText({ notice: '15 minutes' })).waitFor();
    await look(page, 'announce', opened, 'window');
    await dialog.getByRole('button', { name: words.actions.close }).click();
    await page.getByRole('heading', { name: words.actions.notice }).waitFor();
    await page.getByText(words.stage.announced).waitFor();
    assert.equal((await ownProject(world, project))['status'], 'open');
    await inspect(opened, 'announced');
    await page.goto(`${url}/projects/${project.id}`);
    await page.getByText(marketWords.project.fields.closesEarly).waitFor();
    await page.getByText(marketWords.project.fields.placesOf({ left: 1, all: 2 })).waitFor();
    await inspect(opened, 'public-announced');
    await page.goto(url);
    await page.getByText('1 entry, 1 place left').waitFor();
    await inspect(opened, 'public-market');
    assertQuiet();
    await context.close();
  });

  it('a result on hold: an objection, its decision, and the shares', async () => {
    const { project, entrant } = await silenced();
    const agents = await open('/agent');
    await area.signIn(agents.page, entrant.key, 'Test agent');
    await area.goTo(agents.page, 'Entries');
    await objectInBrowser(agents, project);
    await agents.page.getByText(agentWords.objection.states.open).waitFor();
    await inspect(agents, 'agent-objected');
    const own = await asPoster(project);
    await own.page.getByRole('heading', { name: words.hold.title }).waitFor();
    await own.page.getByText(words.hold.noChoice).waitFor();
    await own.page.locator('[data-entry]').filter({ hasText: words.gallery.objected }).click();
    await own.page.getByRole('dialog').getByText('The other entry is a copy of mine.').waitFor();
    await own.page.getByText(words.viewer.held).waitFor();
    assert.equal(await own.page.getByRole('button', { name: words.viewer.choose }).count(), 0);
    await look(own.page, 'objection', own, 'window');
    await own.page.keyboard.press('Escape');
    await inspect(own, 'held');
    const visitor = await open(`/projects/${project.id}`);
    await visitor.page.getByRole('heading', { name: marketWords.project.hold.title }).waitFor();
    await inspect(visitor, 'public-held');
    await release(project);
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { name: marketWords.project.endings.silence.title }).waitFor();
    await inspect(visitor, 'public-silence');
    assert.equal(await visitor.page.getByText(marketWords.project.fields.winnerGets, { exact: true }).count(), 0);
    await own.page.reload();
    await own.page.getByRole('heading', { name: words.silence.ended }).waitFor();
    await own.page.getByText(words.payout.rest).waitFor();
    await inspect(own, 'silence');
    await area.goTo(agents.page, 'Submissions');
    await area.goTo(agents.page, 'Entries');
    await agents.page.getByText(agentWords.history.shared).waitFor();
    await agents.page.getByText(agentWords.objection.states.lapsed).waitFor();
    for (const { assertQuiet, context } of [agents, own, visitor]) {
      assertQuiet();
      await context.close();
    }
  });

  type Silenced = { project: OpenProject; entrant: Contestant };

  /** Opens a project that its poster leaves to silence, and waits for the result on hold. */
  async function silenced(): Promise<Silenced> {
    const deadline = inAnHour();
    const fields = { judging_hours: 1, title: 'Left to silence' };
    const project = await openProject(world, { prizeUsdc: 20, entryFeeUsdc: 0.1, deadline, fields });
    const entrant = await enter(world, project, { picture: await drawing(21) });
    await enter(world, project, { picture: await drawing(22) });
    clock.offsetMs += HOUR_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    clock.offsetMs += HOUR_MS;
    await until('a result on hold', async () => (await ownProject(world, project))['result_on_hold'] !== null);
    return { project, entrant };
  }

  async function objectInBrowser({ page, assertDialogAccessible }: OpenPage, project: OpenProject): Promise<void> {
    await page.getByText(agentWords.objection.hold.silence).waitFor();
    await page.getByRole('button', { name: agentWords.objection.objectOf({ project: 'Left to silence' }) }).click();
    const dialog = page.getByRole('dialog', { name: agentWords.objection.title });
    await assertDialogAccessible();
    await dialog.getByLabel(agentWords.objection.reason).fill('The other entry is a copy of mine.');
    await dialog.getByRole('button', { name: agentWords.objection.send }).click();
    await page.getByText(agentWords.objection.sent).waitFor();
    const { payout_held_until: end } = (await ownProject(world, project))['result_on_hold'] as {
      payout_held_until: string;
    };
    assert.ok(Date.parse(end) - clock.now().getTime() > 5 * 24 * HOUR_MS);
  }

  async function release({ id, ...project }: OpenProject): Promise<void> {
    const body = { reason: 'Looked at both pictures' };
    expectStatus(await call(url, 'POST', `/operator/projects/${id}/release`, { key: operatorKey, body }), 200);
    await until('the shares', async () => (await ownProject(world, { id, ...project }))['status'] === 'completed');
  }

  /** The page of a cancelled project invites nobody, and promises nothing to a winner. */
  async function assertEndedWithoutWinner(page: Page): Promise<void> {
    await page.getByText(/^Entries ended on .*, when the project was canceled\.$/).waitFor();
    await page.getByText(marketWords.project.cancelled.refunds).waitFor();
    assert.equal(await page.getByText(/can enter until/).count(), 0);
    assert.equal(await page.getByText(marketWords.project.fields.winnerGets, { exact: true }).count(), 0);
  }

  it('a poster cancels, and the page speaks of the refund in the past once it has settled', async () => {
    const { cancelled } = marketWords.project;
    const project = await openProject(world, {
      entryFeeUsdc: 0,
      deadline: inAnHour(),
      fields: { title: 'Taken back' },
    });
    const path = `/posters/me/projects/${project.id}/cancel`;
    const body = { reason: 'The campaign is over.' };
    expectStatus(await call(url, 'POST', path, { key: project.poster.key, body }), 200);
    await until('the refund', async () => {
      const { body: money } = await call(url, 'GET', `/projects/${project.id}/money`);
      return money.data.held_micro === 0;
    });
    const { page, context, assertQuiet } = await open(`/projects/${project.id}`);
    await page.getByText(cancelled.nobody({ settled: 'true', fees: 'false' })).waitFor();
    assertQuiet();
    await context.close();
  });

  it('a cancelled project says why, when, and by whom', async () => {
    const project = await openProject(world, { deadline: inAnHour(), fields: { title: 'Called off' } });
    const contestant = await enter(world, project, { picture: await drawing(31) });
    const body = { reason: 'The brief asked for a protected brand.' };
    expectStatus(await call(url, 'POST', `/operator/projects/${project.id}/cancel`, { key: operatorKey, body }), 200);
    const visitor = await open(`/projects/${project.id}`);
    await visitor.page.getByRole('heading', { name: /^Canceled by the operator on / }).waitFor();
    await visitor.page.getByText(body.reason).waitFor();
    await assertEndedWithoutWinner(visitor.page);
    await inspect(visitor, 'public-cancelled');
    const agents = await open('/agent');
    await area.signIn(agents.page, contestant.key, 'Test agent');
    await area.goTo(agents.page, 'Entries');
    await agents.page.getByText(agentWords.history.reason({ reason: body.reason })).waitFor();
    for (const { assertQuiet, context } of [visitor, agents]) {
      assertQuiet();
      await context.close();
    }
  });

  it('submissions in every state, and the deletion of an unpaid intent', async () => {
    const project = await openProject(world, { deadline: inAnHour(), fields: { title: 'A change of mind' } });
    const { key } = await enter(world, project, { until: 'intent' });
    const opened = await open('/agent');
    const { page, context, assertQuiet } = opened;
    await area.signIn(page, key, 'Test agent');
    await area.goTo(page, 'Submissions');
    await page.getByText(agentWords.submissions.next.pay).waitFor();
    await inspect(opened, 'agent-submissions');
    await page.getByRole('button', { name: agentWords.submissions.deleteOf({ project: 'A change of mind' }) }).click();
    await opened.assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: agentWords.submissions.delete }).click();
    await page.getByText(agentWords.submissions.deleted).waitFor();
    await page.getByText(agentWords.submissions.next.withdrawn).waitFor();
    const listed = await call(url, 'GET', '/agents/me/submissions', { key });
    assert.equal(listed.body.data.submissions[0].status, 'withdrawn');
    assertQuiet();
    await context.close();
  });

  it('the change of a proven wallet waits, and the owner cancels it', async () => {
    const [old, next] = [newPayer(), newPayer()];
    const agent = await registerAgent(url, { agent_name: 'Two Pockets' });
    expectStatus(await linkPayer(url, agent.key, old), 200);
    const opened = await open('/agent');
    const { page, context, assertQuiet } = opened;
    await injectWallet(page, next.account);
    await page.reload();
    await area.signIn(page, agent.key, 'Two Pockets');
    await area.goTo(page, 'Wallet');
    await page.getByText(agentWords.wallet.states.proven, { exact: true }).waitFor();
    await page.getByText(agentWords.wallet.linkWaits).waitFor();
    await page.getByRole('button', { name: WALLET_NAME }).click();
    const pending = page.getByRole('region', { name: agentWords.wallet.change.title });
    await pending.waitFor();
    await inspect(opened, 'agent-wallet-pending');
    await pending.getByRole('button', { name: agentWords.wallet.change.cancel }).click();
    await opened.assertDialogAccessible();
    await page.getByRole('dialog').getByRole('button', { name: agentWords.wallet.change.cancel }).click();
    await page.getByText(agentWords.wallet.change.cancelled).waitFor();
    await pending.waitFor({ state: 'detached' });
    const { wallet } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual([wallet.address, wallet.pending], [old.address.toLowerCase(), null]);
    assertQuiet();
    await context.close();
  });

  it('a proven wallet changes at once if the browser wallet has both accounts', async () => {
    const [old, next] = [newPayer(), newPayer()];
    const agent = await registerAgent(url, { agent_name: 'Both Hands' });
    expectStatus(await linkPayer(url, agent.key, old), 200);
    const { page, context, assertQuiet } = await open('/agent');
    await injectWallet(page, next.account, [old.account]);
    await page.reload();
    await area.signIn(page, agent.key, 'Both Hands');
    await area.goTo(page, 'Wallet');
    await page.getByText(agentWords.wallet.states.proven, { exact: true }).waitFor();
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByText(/^Wallet 0x.* linked\.$/).waitFor();
    const { wallet } = (await call(url, 'GET', '/agents/me', { key: agent.key })).body.data;
    assert.deepEqual([wallet.address, wallet.pending], [next.address.toLowerCase(), null]);
    assertQuiet();
    await context.close();
  });
});
