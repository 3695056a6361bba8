import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { drawing, expectStatus, registerAgent, registerPoster, testPicture } from '../support/clients/journey.ts';
import { run, until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { injectWallet, WALLET_NAME } from '../support/console/console-wallet.ts';
import { skip, startConsole, type views } from '../support/console/console-world.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';

// One poster and one project, from the first sign-in to the file that was bought.

const CLI = join(import.meta.dirname, '..', '..', 'cli', 'src', 'concours.ts');
const ADDRESS = 'poster@example.com';
const ENTRIES = 45;
const AT_ONCE = 5;

const smtp = await startSmtpServer();
const env = { ...SHARED_SETTINGS.env, SMTP_URL: smtp.url, MAIL_FROM: 'Concours <mail@concours.example>' };
const started = await startConsole(() => startWorld({ console: true, env }));

describe('a poster, from the first visit to the delivered picture', { skip }, async () => {
  assert.ok(started);
  const { world, open } = started;
  const { url } = world;
  const payer = newPayer();
  const visited = await open('/');
  const { page } = visited;
  /** The picture of each entry, by the id of its submission. */
  const pictures = new Map<string, Buffer>();
  let id = '';
  await injectWallet(page, payer.account);
  await page.goto(url);

  /** Signs in with a wallet, in a browser of its own. */
  async function visit(view?: keyof typeof views) {
    const opened = await open('/', view);
    await injectWallet(opened.page, payer.account);
    await opened.page.goto(`${url}/poster`);
    await opened.page.getByRole('button', { name: WALLET_NAME }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Your briefs' }).waitFor();
    return opened;
  }

  async function openEntries(on: Page): Promise<void> {
    await on.goto(`${url}/poster/projects/${id}`);
    await on.getByText(`${ENTRIES} entries`, { exact: true }).first().waitFor();
    await settled(on);
  }

  /** The entries as their poster reads them. */
  async function entriesOf(on: Page): Promise<{ id: string; score: number | null; mark: string | null }[]> {
    const answer = await on.request.get(`${url}/api/v1/posters/me/projects/${id}/submissions?limit=50`);
    return ((await answer.json()) as { data: { submissions: never[] } }).data.submissions;
  }

  /** Clicks a button, and returns the file that the browser saved. */
  async function downloaded(button: string): Promise<string> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    return await (await download).path();
  }

  /** The brief of a link replaces that of another browser once, if the user agrees. Fields that no form writes do nothing. */
  async function openElsewhere(link: string): Promise<void> {
    const other = await open('/poster/draft');
    await other.page.getByRole('button', { name: 'Use example: Illustration' }).click();
    const title = await other.page.getByLabel('Title').inputValue();
    const forged = { at: Date.now(), specializations: null, auto_select_deadline: 'Z' };
    await other.page.goto(`${url}/poster/draft?brief=${JSON.stringify(forged)}`);
    assert.equal(await other.page.getByLabel('Title').inputValue(), title);
    const asked = other.page.waitForEvent('dialog').then((dialog) => dialog.accept());
    await other.page.goto(link);
    await asked;
    await other.page.getByRole('heading', { name: 'A picture for the harbor festival' }).waitFor();
    await other.page.getByRole('button', { name: 'Change the brief' }).click();
    await other.page.getByLabel('Title').fill('A later title');
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'A later title' }).waitFor();
    await other.context.close();
  }

  it('writes a brief without an account, and signs in to pay', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Post a brief' }).click();
    await page.getByRole('button', { name: 'Use example: Illustration' }).click();
    await page.getByRole('textbox', { name: 'Prize' }).fill('20');
    const review = page.getByRole('region', { name: 'Publish' }).getByRole('button', { name: 'Review and pay' });
    await page.getByText(/^Replace the example’s text .* title, what you need/).waitFor();
    assert.equal(await review.isDisabled(), true);
    await page.getByLabel('Title').fill('A picture for the harbor festival');
    await page
      .getByLabel('What you need')
      .fill('The harbor at dusk with its boats, for a poster of our festival in June.');
    await review.click();
    await page.getByRole('region', { name: 'The brief as agents see it' }).getByText('The harbor at dusk').waitFor();
    await visited.assertAccessible();
    await openElsewhere(page.url());
    await page.getByRole('button', { name: WALLET_NAME }).click();
    await page.getByRole('button', { name: 'Pay 20.00 USDC' }).waitFor();
    await page.getByRole('button', { name: 'Change the brief' }).click();
  });

  it('adds a reference picture, and publishes the brief', async () => {
    const picture = { name: 'reference.png', mimeType: 'image/png', buffer: await testPicture(901) };
    await page.locator('input[type=file]').setInputFiles(picture);
    await page.getByAltText(picture.name).waitFor();
    await page.getByText('All changes saved').waitFor();
    await fund(url, payer.address, 20);
    await page.getByRole('region', { name: 'Publish' }).getByRole('button', { name: 'Review and pay' }).click();
    await page.getByRole('button', { name: 'Pay 20.00 USDC' }).click();
    await page.waitForURL(/\/poster\/projects\/[0-9a-f-]{36}$/);
    id = page.url().slice(-36);
    await page.getByRole('heading', { name: 'Your brief is open' }).waitFor();
    await visited.assertAccessible();
    await page.getByRole('region', { name: 'Brief' }).locator('img').waitFor();
  });

  it('creates one draft of a form that is left and opened again while it is saved', async () => {
    const creation = Promise.withResolvers<Route>();
    await page.goto(`${url}/poster`);
    const toForm = page.getByRole('link', { name: 'New brief' });
    await toForm.click();
    await page.route('**/posters/me/projects', (route) => creation.resolve(route), { times: 1 });
    await page.getByRole('button', { name: 'Use example: Illustration' }).click();
    await page.getByRole('textbox', { name: 'Prize' }).fill('20');
    const route = await creation.promise;
    await page.getByRole('link', { name: 'Your briefs' }).first().click();
    await toForm.click();
    await page.getByLabel('Title').fill('Opened again');
    await route.continue();
    await page.getByText('All changes saved').waitFor();
    const answer = await page.request.get(`${url}/api/v1/posters/me/projects?status=draft`);
    const { data } = (await answer.json()) as { data: { projects: { title: string }[] } };
    assert.deepEqual(
      data.projects.map(({ title }) => title),
      ['Opened again'],
    );
  });

  it('says above the form that another account has taken over', async () => {
    const { page: form, context } = await visit();
    await form.getByRole('link', { name: 'New brief' }).click();
    await form.getByRole('button', { name: 'Use example: Illustration' }).click();
    const data = { api_key: (await registerPoster(url)).key };
    await form.request.post(`${url}/api/v1/posters/session`, { headers: { origin: url }, data });
    const second = await context.newPage();
    await second.goto(`${url}/poster`);
    await second.getByRole('heading', { level: 1, name: 'Your briefs' }).waitFor();
    await form.getByRole('textbox', { name: 'Prize' }).fill('20');
    await form.getByText(/^Another tab signed in as Test poster/).waitFor();
    await context.close();
  });

  it('confirms an email address', async () => {
    await page.goto(`${url}/poster`);
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByLabel('Email address').fill(ADDRESS);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const mail = await until('the email', async () => smtp.to(ADDRESS)[0]);
    const opened = await page.context().newPage();
    await opened.goto(url + linkIn(mail, 'verify'));
    await opened.getByRole('button').click();
    await opened.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    await opened.close();
  });

  it('answers a question from the email about it', async () => {
    const { key } = await registerAgent(url);
    const body = { question: 'Is the boat red?' };
    expectStatus(await call(url, 'POST', `/agents/projects/${id}/questions`, { key, body }), 201);
    const asked = (mail: { subject?: string | undefined }) => mail.subject === 'A question about your project';
    const mail = await until('the email', async () => smtp.to(ADDRESS).find(asked));
    const path = `/poster/projects/${id}`;
    assert.ok(mail.text?.includes(url + path), mail.text ?? 'no text');
    await page.goto(url + path);
    const waiting = page.getByRole('list', { name: '1 question waits for your answer' });
    await waiting.getByLabel('Your answer').fill('Yes, and the only one.');
    await waiting.getByRole('button', { name: 'Publish answer' }).click();
    await page
      .getByRole('list', { name: 'Answered and hidden questions' })
      .getByText('Yes, and the only one.')
      .waitFor();
  });

  it('scores every entry by keyboard', async () => {
    for (let first = 1; first <= ENTRIES; first += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          const picture = await drawing(first + index);
          const { submissionId } = await enter(world, { id }, { picture });
          pictures.set(submissionId, picture);
        }),
      );
    await openEntries(page);
    await page.locator('[data-index="0"]').focus();
    for (let index = 0; index < ENTRIES; index += 1) {
      await page.keyboard.press(String((index % 5) + 1));
      await page.keyboard.press('ArrowRight');
    }
    await until('a score for each', async () => {
      const scores = (await entriesOf(page)).map(({ score }) => score ?? 0);
      return [1, 2, 3, 4, 5].every((score) => scores.filter((given) => given === score).length === ENTRIES / 5);
    });
  });

  it('goes on on a phone, by touch', async () => {
    const phone = await visit('phone');
    await openEntries(phone.page);
    const second = await phone.page.locator('[data-index="1"]').getAttribute('data-entry');
    await phone.page.locator('[data-index="0"]').tap();
    const dialog = phone.page.getByRole('dialog');
    await dialog.waitFor();
    await swipe(phone.page, 300, 60);
    await phone.page.waitForURL((address) => address.searchParams.get('entry') === second);
    await dialog.getByRole('button', { name: 'Shortlist' }).click();
    await until('the mark', async () =>
      (await entriesOf(phone.page)).some((entry) => entry.id === second && entry.mark === 'shortlist'),
    );
    phone.assertQuiet();
    await phone.context.close();
  });

  it('compares four, and chooses one while entries are open', async () => {
    await openEntries(page);
    await page.locator('[data-index="0"]').focus();
    for (let index = 0; index < 4; index += 1) {
      await page.keyboard.press('c');
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('v');
    const sides = page.getByRole('dialog', { name: 'Compare' }).locator('[data-side]');
    await sides.nth(3).waitFor();
    await sides.nth(2).getByRole('button', { name: 'Close and choose this one' }).click();
    const award = page.getByRole('dialog', { name: 'Close entries and choose this one?' });
    await award.getByRole('button', { name: 'Close and choose' }).click();
    await award.waitFor({ state: 'detached' });
  });

  it('downloads the original, and verifies the manifest', async () => {
    await page.goto(`${url}/poster/projects/${id}`);
    await page.getByRole('button', { name: 'Download original' }).waitFor();
    const original = await downloaded('Download original');
    const manifest = await downloaded('Download delivery manifest');
    const { stdout } = await run(process.execPath, [CLI, 'verify', manifest, original, '--issuer', url, '--json']);
    const verified = JSON.parse(stdout) as { ok: boolean; manifest: { submission_id: string } };
    assert.equal(verified.ok, true);
    const picture = pictures.get(verified.manifest.submission_id) ?? assert.fail('another entry');
    const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
    assert.equal(sha256(await readFile(original)), sha256(picture));
    // Before an address exists, the service answers 404. The payment begins with a 402.
    visited.assertQuiet(/404|402/);
  });
});

/** Moves one finger over the picture. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (x: number) => ({ touchPoints: [{ x, y: 200 }] });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  for (const x of [from * 0.7 + to * 0.3, to])
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
