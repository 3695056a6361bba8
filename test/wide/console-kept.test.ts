import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { injectWallet } from '../support/console/console-wallet.ts';
import { skip, startConsole } from '../support/console/console-world.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The console keeps what a poster wrote, marked, or agreed to pay, whatever happens meanwhile: another window, a lost answer,
// the end of the session.

const started = await startConsole(sharedWorld);
const PROJECTS = '/posters/me/projects';

describe('what a poster does in the console', { skip }, () => {
  assert.ok(started);
  const { world, open } = started;
  const { url } = world;

  async function signIn(page: Page, key: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Poster key' }).fill(key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Opens a page as a poster. */
  async function openAs(key: string, path: string): Promise<{ page: Page; context: BrowserContext }> {
    const opened = await open('/poster');
    await signIn(opened.page, key);
    await opened.page.getByRole('heading', { name: 'Your briefs', level: 1 }).waitFor();
    await opened.page.goto(url + path);
    return opened;
  }

  async function draftsOf(key: string): Promise<string[]> {
    const { body } = expectStatus(await call(url, 'GET', `${PROJECTS}?status=draft`, { key }), 200);
    return (body.data.projects as { title: string }[]).map(({ title }) => title);
  }

  /** Writes a whole brief from an example. */
  async function write(page: Page, title: string): Promise<void> {
    await page.getByRole('button', { name: 'Use example: Illustration' }).click();
    await page.getByRole('textbox', { name: 'Prize' }).fill('20');
    await page.getByLabel('What you need').fill('The harbor at dusk with its boats, for a poster of our festival.');
    await page.getByLabel('Title').fill(title);
  }

  it('pays for the brief that the page shows', async () => {
    const { key } = await registerPoster(url);
    const payer = newPayer();
    await fund(url, payer.address, 60);
    const made = expectStatus(await call(url, 'POST', PROJECTS, { key, body: brief({ prizeUsdc: 20 }) }), 201);
    const { id } = made.body.data.project as { id: string };
    const opened = await open('/poster');
    await injectWallet(opened.page, payer.account);
    await opened.page.reload();
    const { page, context } = opened;
    await signIn(page, key);
    await page.getByRole('heading', { name: 'Your briefs', level: 1 }).waitFor();
    await page.goto(`${url}/poster/draft?id=${id}&step=review`);
    const pay = page.getByRole('button', { name: /^Pay / });
    await page.getByRole('button', { name: 'Pay 20.00 USDC' }).waitFor();
    const changed = { title: 'Another lighthouse', prize_amount: 30 };
    expectStatus(await call(url, 'PATCH', `${PROJECTS}/${id}`, { key, body: changed }), 200);
    await pay.click();
    await page.getByText(/^The brief changed\. Review it again/).waitFor();
    assert.equal(await pay.innerText(), 'Pay 30.00 USDC');
    await page.getByRole('heading', { name: 'Another lighthouse' }).waitFor();
    await pay.click();
    await page.waitForURL(`${url}/poster/projects/${id}`);
    await context.close();
  });

  it('creates one draft if the answer is lost', async () => {
    const { key } = await registerPoster(url);
    const { page, context } = await openAs(key, '/poster/draft');
    const lost = Promise.withResolvers<void>();
    await page.route(
      `**${PROJECTS}`,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
        lost.resolve();
      },
      { times: 1 },
    );
    await write(page, 'Sent once');
    await lost.promise;
    await page.getByLabel('Title').fill('Typed after it');
    // The page sends again at once, instead of in a few seconds.
    await page.evaluate('dispatchEvent(new Event("online"))');
    await until('the last text', async () => (await draftsOf(key)).includes('Typed after it'));
    await page.getByText('All changes saved').waitFor();
    assert.deepEqual(await draftsOf(key), ['Typed after it']);
    await context.close();
  });

  it('keeps a half-written brief until its poster agrees to another one', async () => {
    const { key } = await registerPoster(url);
    const { page, context } = await openAs(key, '/poster/draft');
    await page.getByLabel('Title').fill('Half written');
    await page.goto(`${url}/poster`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('textbox', { name: 'Poster key' }).waitFor();
    await page.goto(`${url}/poster/draft`);
    await write(page, 'Written by a visitor');
    await page.getByRole('button', { name: 'Review and pay' }).last().click();
    const answers = [false, true];
    page.on('dialog', (dialog) => void (answers.shift() ? dialog.accept() : dialog.dismiss()));
    await signIn(page, key);
    await until('the refusal', async () => (await page.getByLabel('Title').inputValue()) === 'Half written');
    await page.reload();
    await until('the consent', async () => (await draftsOf(key)).includes('Written by a visitor'));
    assert.deepEqual(answers, []);
    await context.close();
  });

  it('shows no mark that is not saved, and why, until it is', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0 });
    await enter(world, project);
    const { page, context } = await openAs(project.poster.key, `/poster/projects/${project.id}`);
    const card = page.locator('[data-entry]').first();
    await card.focus();
    const note = Promise.withResolvers<() => Promise<void>>();
    await page.route('**/note', (route) => note.resolve(() => route.abort('connectionreset')), { times: 1 });
    await page.keyboard.press('s');
    await page.keyboard.press('4');
    await card.getByText(/Shortlist/).waitFor();
    await (
      await note.promise
    )();
    await card.getByText(/Shortlist/).waitFor({ state: 'detached' });
    const failure = page.getByText(/was not saved/);
    await until('the score', async () => {
      const path = `${PROJECTS}/${project.id}/submissions`;
      const { body } = await call(url, 'GET', path, { key: project.poster.key });
      return body.data.submissions[0].score === 4;
    });
    await failure.waitFor();
    await card.focus();
    await page.keyboard.press('s');
    await failure.waitFor({ state: 'detached' });
    await card.getByText(/Shortlist/).waitFor();
    await context.close();
  });

  it('keeps a typed answer when the session ends, for this poster only', async () => {
    const project = await openProject(world);
    const { key } = await registerAgent(url);
    const body = { question: 'Is the boat red?' };
    expectStatus(await call(url, 'POST', `/agents/projects/${project.id}/questions`, { key, body }), 201);
    const { page, context } = await openAs(project.poster.key, `/poster/projects/${project.id}`);
    const answer = page.getByRole('textbox', { name: 'Your answer' });
    const end = async () => {
      await answer.fill('Yes, and the only one.');
      await context.clearCookies();
      await page.getByRole('button', { name: 'Publish answer' }).click();
      await page.getByText('Your session has ended').waitFor();
      await answer.waitFor({ state: 'hidden' });
    };
    await end();
    await signIn(page, project.poster.key);
    await answer.waitFor();
    assert.equal(await answer.inputValue(), 'Yes, and the only one.');
    await end();
    await signIn(page, (await registerPoster(url)).key);
    await page
      .getByText(/does not exist|not found/i)
      .first()
      .waitFor();
    assert.equal(await answer.count(), 0);
    await context.close();
  });

  it('opens the viewer again when the poster signs in again', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0 });
    const { submissionId } = await enter(world, project);
    const path = `/poster/projects/${project.id}?entry=${submissionId}`;
    const { page, context } = await openAs(project.poster.key, path);
    const feedback = page.getByRole('dialog').getByRole('textbox');
    await feedback.fill('A good light');
    await context.clearCookies();
    await page.getByText('Your session has ended').waitFor();
    await signIn(page, project.poster.key);
    await feedback.waitFor();
    assert.equal(await feedback.inputValue(), 'A good light');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.waitForURL(`${url}/poster/projects/${project.id}`);
    await context.close();
  });

  it('says on a phone that a long brief does not come along into a wallet app', async () => {
    const { page, context } = await open('/poster/draft', 'phone');
    // A service on a real network: its visitors need a wallet.
    await page.route('**/api/v1/network', async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { ...json, data: { ...json.data, development: false } } });
    });
    await page.reload();
    await write(page, 'A long one');
    const review = page.getByRole('button', { name: 'Review and pay' }).first();
    await review.click();
    await page.getByText(/Your brief comes along/).waitFor();
    await page.getByRole('button', { name: 'Change the brief' }).click();
    await page.getByLabel('What you need').fill('A harbor at dusk. '.repeat(400));
    await review.click();
    await page.getByText(/Your brief is too long for these links/).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
});
