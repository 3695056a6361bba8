import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { poster as posterWords, questions as words } from '../../console/messages/public.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { linkIn } from '../support/clients/mail-links.ts';
import { drawing, expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { type ReceivedMail, startSmtpServer } from '../support/servers/smtp-server.ts';
import { areaOf, settled } from '../support/console/console-signed-in.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { skip, startConsoleWorld } from '../support/console/console-world.ts';

// A poster and the owner of an agent follow a project by its emails alone: each email arrives at a real mail server, and its
// link opens the page where they go on.

const POSTER = 'poster@example.com';
const OWNER = 'owner@example.com';
const smtp = await startSmtpServer();
const consoleWorld = await startConsoleWorld({
  env: {
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Concours <mail@concours.example>',
    LIMIT_POSTER_PER_MINUTE: '100000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
  },
});
const { signIn, goTo } = areaOf({ label: 'API key of the agent', name: 'Your agent' });

/** Waits for the email to an address, and returns it. It must arrive once. */
async function mailTo(address: string, subject: string): Promise<ReceivedMail> {
  const found = () => smtp.to(address).filter((mail) => mail.subject === subject);
  const mail = await until(`“${subject}” to ${address}`, async () => found()[0]);
  assert.equal(found().length, 1);
  return mail;
}

/** The path of the page that an email links to. */
function pageIn({ text = '' }: ReceivedMail): string {
  const [, path] = /http:\/\/[\w.:]+(\/(?:poster\/)?projects\/[\da-f-]{36})/.exec(text) ?? [];
  return path ?? assert.fail(`no page in: ${text}`);
}

describe('a project that is followed by email', { skip }, async () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url } = world;
  const { signInWithKey } = posterSteps(consoleWorld);
  const project = await openProject(world, { fields: { title: 'A sign for the harbor' } });
  const entrant = await enter(world, project, { picture: await drawing(801) });
  const posters = await open('/poster');
  const owners = await open('/agent');

  async function confirmAddress(page: Page, address: string): Promise<void> {
    await page.getByLabel('Email address').fill(address);
    await page.getByLabel('How often').selectOption('One email per event');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not confirmed yet').first().waitFor();
    const mail = await until('the email', async () => smtp.to(address)[0]);
    const opened = await page.context().newPage();
    await opened.goto(url + linkIn(mail, 'verify'));
    await opened.getByRole('button').click();
    await opened.getByRole('heading', { name: 'Address confirmed' }).waitFor();
    await opened.close();
  }

  it('reaches both once they confirmed their addresses', async () => {
    await posters.page.getByText(posterWords.signIn.emailHint).waitFor();
    await signInWithKey(posters.page, project.poster.key);
    await posters.page.getByRole('link', { name: 'Notifications', exact: true }).click();
    await confirmAddress(posters.page, POSTER);
    const { agent } = (await call(url, 'GET', '/agents/me', { key: entrant.key })).body.data;
    await signIn(owners.page, entrant.key, agent.name);
    await goTo(owners.page, 'Notifications');
    await confirmAddress(owners.page, OWNER);
  });

  it('asks the poster, who answers from the email, and tells the owner', async () => {
    const body = { question: 'Which colors has the harbor?' };
    const path = `/agents/projects/${project.id}/questions`;
    expectStatus(await call(url, 'POST', path, { key: entrant.key, body }), 201);
    const asked = await mailTo(POSTER, 'A question about your project');
    assert.match(asked.text ?? '', /Question: “Which colors has the harbor\?”/);
    assert.equal(pageIn(asked), `/poster/projects/${project.id}`);
    await posters.page.goto(url + pageIn(asked));
    const waiting = posters.page.getByRole('list', { name: words.poster.waiting({ count: 1 }) });
    await waiting.getByLabel(words.poster.answer).fill('Gray, and one red boat.');
    await waiting.getByRole('button', { name: words.poster.send }).click();

    const answered = await mailTo(OWNER, 'A poster answered a question');
    assert.match(answered.text ?? '', /Answer: “Gray, and one red boat\.”/);
    await owners.page.goto(url + pageIn(answered));
    await owners.page.getByRole('list', { name: words.title }).getByText('Gray, and one red boat.').waitFor();
  });

  it('tells the poster of a new entry and of its end, and the owner of the prize', async () => {
    await enter(world, project, { picture: await drawing(802) });
    const entered = await mailTo(POSTER, 'A new entry');
    assert.match(entered.text ?? '', /It has 2 entries now/);
    expectStatus(await close(world, project), 200);
    await mailTo(POSTER, 'Choose a winner');
    expectStatus(await choose(world, project, entrant), 200);
    const won = await mailTo(OWNER, 'Your entry won');
    assert.match(won.text ?? '', /won 0\.95 USDC/);
    const paid = await mailTo(OWNER, 'You got 0.95 USDC');
    const [{ hash } = { hash: '' }] = await world.service.deps.db<{ hash: string }[]>`
      select tx_hash as hash from payouts where project_id = ${project.id} and kind = 'prize'`;
    assert.match(paid.text ?? '', new RegExp(hash || 'no transaction'));
    await owners.page.goto(url + pageIn(won));
    await owners.page.getByRole('heading', { name: 'A sign for the harbor', level: 1 }).waitFor();
    await settled(owners.page);
  });

  it('stops for an owner who follows the link at its end', async () => {
    const won = await mailTo(OWNER, 'Your entry won');
    await owners.page.goto(url + linkIn(won, 'unsubscribe'));
    await owners.page.getByRole('button').click();
    await owners.page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
    const { contact } = (await call(url, 'GET', '/agents/me/contact', { key: entrant.key })).body.data;
    assert.equal(contact.status, 'unsubscribed');
    // Before an address exists, the service answers 404.
    for (const { assertQuiet, context } of [posters, owners]) {
      assertQuiet(/404/);
      await context.close();
    }
    assert.deepEqual(world.errors, []);
  });
});
