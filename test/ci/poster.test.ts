import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { handover, messages, poster as words, posterBrief as help, questions } from '../../console/messages/public.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { expectStatus, registerAgent, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startSmtpServer } from '../support/servers/smtp-server.ts';
import { draw } from '../support/test-pictures.ts';
import { deliverySteps } from '../support/console/console-delivery-steps.ts';
import { PAYING, posterSteps } from '../support/console/console-poster-steps.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { swipe } from '../support/console/console-touch.ts';
import { skip, startConsoleWorld } from '../support/console/console-world.ts';

// One poster and one project, from the first sign-in to the file that was bought. Server, chain, database, storage, and mail
// server are real, and so are the 45 entries.

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '..', '..', 'cli', 'src', 'concours.ts');
const ADDRESS = 'poster@example.com';
const ENTRIES = 45;
const TITLE = 'A picture for the harbor festival';

const smtp = await startSmtpServer();
const consoleWorld = await startConsoleWorld({
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Concours <mail@concours.example>',
    LIMIT_REGISTRATIONS_PER_HOUR: '1000',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_POSTER_NOTES_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_PUBLIC_READS_PER_MINUTE: '100000',
  },
});

describe('a poster, from the first visit to the delivered picture', { skip }, async () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, service } = world;
  const { db } = service.deps;
  const { visit, signIn, publishButton, openedProject, look } = posterSteps(consoleWorld);
  const { downloaded } = deliverySteps(consoleWorld);
  const payer = newPayer();
  const visited = await visit(payer);
  const { page } = visited;
  /** The picture of each entry, by the id of its submission. */
  const pictures = new Map<string, Buffer>();
  let id = '';

  const dialog = (on: Page) => on.getByRole('dialog');
  const entryAt = async (on: Page, index: number) =>
    (await on.locator(`[data-index="${index}"]`).getAttribute('data-entry')) ?? assert.fail();

  async function openEntries(on: Page): Promise<void> {
    await on.goto(`${url}/poster/projects/${id}`);
    await on.getByText(words.gallery.loaded({ shown: ENTRIES, total: ENTRIES, all: 'true' })).waitFor();
    await settled(on);
  }

  it('signs in with a wallet, and confirms an email address', async () => {
    await signIn(page);
    await page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await page.getByLabel('Email address').fill(ADDRESS);
    await page.getByLabel('How often').selectOption('One email per event');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const mail = await until('the email', async () => smtp.to(ADDRESS)[0]);
    const opened = await page.context().newPage();
    await opened.goto(url + linkIn(mail, 'verify'));
    await opened.getByRole('button').click();
    await opened.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    await opened.close();
  });

  it('makes a brief from a template with reference pictures, and publishes it', async () => {
    await page.goto(`${url}/poster`);
    await page.getByRole('link', { name: words.home.new }).first().click();
    await page.getByRole('button', { name: help.templates.use({ name: 'Illustration' }) }).click();
    await page.getByLabel(words.draft.title).fill(TITLE);
    await page.getByRole('textbox', { name: words.draft.prize }).fill('20');
    await page.getByRole('textbox', { name: words.draft.fee }).fill('0');
    for (const seed of [901, 902]) {
      const picture = { name: `reference-${seed}.png`, mimeType: 'image/png', buffer: await testPicture(seed) };
      await page.locator('input[type=file]').setInputFiles(picture);
      await page.getByAltText(picture.name).waitFor();
    }
    await page.getByText(words.save.saved).waitFor();
    await page.getByText(help.path.ready).waitFor();
    await fund(url, payer.address, 20);
    await publishButton(page).click();
    id = await openedProject(page);
    const brief = page.getByRole('region', { name: words.viewer.brief });
    await until('both references', async () => (await brief.locator('img').count()) === 2);
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
    const waiting = page.getByRole('list', { name: questions.poster.waiting({ count: 1 }) });
    await waiting.getByLabel(questions.poster.answer).fill('Yes, and the only one.');
    await waiting.getByRole('button', { name: questions.poster.send }).click();
    await page.getByRole('list', { name: questions.poster.handled }).getByText('Yes, and the only one.').waitFor();
  });

  it('judges 45 entries by keyboard', async () => {
    for (let seed = 1; seed <= ENTRIES; seed += 1) {
      const picture = Buffer.from(await draw(seed, 240, 180).png().toBuffer());
      const { submissionId } = await enter(world, { id }, { picture });
      pictures.set(submissionId, picture);
    }
    await openEntries(page);
    await page.locator('[data-index="0"]').focus();
    for (let index = 0; index < ENTRIES; index += 1) {
      await page.keyboard.press(String((index % 5) + 1));
      await page.keyboard.press('ArrowRight');
    }
    await until('a score for each', async () => {
      const [row] = await db<[{ scored: number; sum: number }]>`
        select count(score)::integer as scored, sum(score)::integer as sum from submissions where project_id = ${id}`;
      return row.scored === ENTRIES && row.sum === 9 * (1 + 2 + 3 + 4 + 5);
    });
  });

  it('goes on on a phone', async () => {
    const phone = await visit(payer, 'phone');
    await signIn(phone.page);
    await openEntries(phone.page);
    const [, second] = [await entryAt(phone.page, 0), await entryAt(phone.page, 1)];
    await phone.page.locator('[data-index="0"]').tap();
    await dialog(phone.page).waitFor();
    await swipe(phone.page, 300, 60);
    await until('the next entry', async () => new URL(phone.page.url()).searchParams.get('entry') === second);
    await dialog(phone.page).getByRole('button', { name: words.viewer.shortlist }).click();
    await until('the mark', async () => {
      const [row] = await db<{ mark: string | null }[]>`select mark from entry_notes where submission_id = ${second}`;
      return row?.mark === 'shortlist';
    });
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
    const sides = page.getByRole('dialog', { name: words.compare.title }).locator('[data-side]');
    await until('four sides', async () => (await sides.count()) === 4);
    await sides.nth(2).getByRole('button', { name: words.viewer.closeAndChoose }).click();
    const award = page.getByRole('dialog', { name: words.award.closeTitle });
    await award.getByRole('button', { name: words.award.closeConfirm }).click();
    await award.waitFor({ state: 'detached' });
  });

  it('downloads the original, and verifies the manifest', async () => {
    await page.goto(`${url}/poster/projects/${id}`);
    await page.getByRole('button', { name: messages.files.original }).waitFor();
    const [{ winner }] = await db<[{ winner: string }]>`
      select winner_submission_id as winner from projects where id = ${id}`;
    const picture = pictures.get(winner) ?? assert.fail(winner);
    const original = await downloaded(page, messages.files.original);
    const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
    assert.equal(sha256(original.content), sha256(picture));
    const manifest = await downloaded(page, handover.manifest);
    const { stdout } = await run(process.execPath, [CLI, 'verify', manifest.path, original.path, '--json']);
    const verified = JSON.parse(stdout) as { ok: boolean; manifest: Record<string, unknown> };
    assert.deepEqual([verified.ok, verified.manifest['submission_id']], [true, winner]);
    await look(page, 'journey-end', visited);
    // Before an address exists, the service answers 404.
    visited.assertQuiet(new RegExp(`404|${PAYING.source}`));
    await visited.context.close();
    assert.deepEqual(world.errors, []);
  });
});
