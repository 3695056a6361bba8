import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { briefPictures, poster as words, posterBrief as help } from '../../console/messages/public.ts';
import { fund, newPayer } from '../support/clients/client.ts';
import { testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';
import { PAYING, posterSteps } from '../support/console/console-poster-steps.ts';

const consoleWorld = await startConsoleWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });

describe('help with a brief in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { url } = consoleWorld.world;
  const { visit, signIn, write, publishButton, openedProject, look } = posterSteps(consoleWorld);

  it('a poster makes a brief from a template with a reference picture, publishes it, and duplicates it', async () => {
    const payer = newPayer();
    const opened = await visit(payer);
    const { page, assertQuiet } = opened;
    await signIn(page);
    await page.getByRole('link', { name: words.home.new }).first().click();

    // The way to publishing is there before anything is filled in.
    await page.getByText(help.path.missing).waitFor();
    await page.getByText(help.path.noPrize).waitFor();
    await page.getByText(help.pictures.notYet).waitFor();
    await page.getByRole('button', { name: help.templates.use({ name: 'Icon set' }) }).click();
    await page.getByText(help.guidance.notEnough({ projects: 0, needed: 5 })).waitFor();
    await look(page, 'template', opened);
    assert.equal(await page.getByLabel('Icon Design', { exact: true }).isChecked(), true);
    await page.getByRole('textbox', { name: words.draft.prize }).fill('5');
    await page.getByText(words.save.saved).waitFor();
    await page.getByText(help.path.ready).waitFor();
    await page.getByText(/The winner receives 4\.75 USDC/).waitFor();
    await page.getByRole('heading', { name: help.estimate.title }).waitFor();

    const [png, noPicture] = [await testPicture(5), Buffer.from('no picture')];
    const files = page.locator('input[type=file]');
    await files.setInputFiles({ name: 'nothing.png', mimeType: 'image/png', buffer: noPicture });
    await page.getByRole('alert').filter({ hasText: 'nothing.png' }).waitFor();
    const named = `${'a-long-name-'.repeat(10)}.png`;
    await files.setInputFiles({ name: named, mimeType: 'image/png', buffer: png });
    await page.getByAltText(named).waitFor();
    const width = `document.querySelector('img[alt="${named}"]').naturalWidth`;
    await until('the picture is drawn', async () => (await page.evaluate<number>(width)) > 0);
    await look(page, 'references', opened);

    await fund(url, payer.address, 5);
    await publishButton(page).click();
    const id = await openedProject(page);
    await page.goto(`${url}/projects/${id}`);
    await page.getByAltText(briefPictures.open({ number: 1 })).waitFor();
    await look(page, 'public-references', opened);
    await page.goto(`${url}/poster/projects/${id}`);
    const brief = page.getByRole('region', { name: words.viewer.brief });
    await brief.getByAltText(briefPictures.open({ number: 1 })).waitFor();
    await look(page, 'own-references', opened);

    await page.goto(`${url}/poster`);
    await page.getByRole('link', { name: /^Duplicate / }).click();
    await page.getByText(help.copy.lead).waitFor();
    assert.equal(await page.getByRole('textbox', { name: words.draft.prize }).inputValue(), '');
    await page.getByRole('textbox', { name: words.draft.prize }).fill('7');
    await page.getByText(words.save.saved).waitFor();
    await page.getByAltText(named).waitFor();
    assert.notEqual(new URL(page.url()).searchParams.get('id'), id);
    await look(page, 'duplicate', opened);
    assertQuiet(new RegExp(`400|${PAYING.source}`));
  });

  it('a draft that was deleted elsewhere says so, and can be saved as a new one', async () => {
    const opened = await visit(newPayer());
    const { page, context, assertQuiet } = opened;
    await signIn(page);
    await write(page, { title: 'Deleted elsewhere', prize: '2', fee: '0' });
    const id = new URL(page.url()).searchParams.get('id') ?? assert.fail(page.url());
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: words.draft.delete }).click();
    await other.getByRole('dialog').getByRole('button', { name: words.draft.delete }).click();
    await other.getByText(words.home.empty.title).waitFor();
    await page.getByRole('textbox', { name: words.draft.tags }).fill('sea');
    await page.getByText(words.save.deleted).waitFor();
    await look(page, 'deleted-elsewhere', opened);
    await page.getByRole('button', { name: words.save.recreate }).click();
    await page.waitForURL((address) => (address.searchParams.get('id') ?? id) !== id);
    await page.getByText(words.save.saved).waitFor();
    assert.equal(await page.getByLabel(words.draft.title).inputValue(), 'Deleted elsewhere');
    assert.equal(await page.getByRole('textbox', { name: words.draft.tags }).inputValue(), 'sea');
    assertQuiet(/404/);
    await context.close();
  });

  it('two windows on one draft keep the changes of each other', async () => {
    const opened = await visit(newPayer());
    const { page: first, context, assertQuiet } = opened;
    await signIn(first);
    await write(first, { title: 'Two windows', prize: '2', fee: '0' });
    const second = await context.newPage();
    await second.goto(first.url());
    const fieldOf = (page: typeof first, label: string) => page.getByRole('textbox', { name: label });
    const fillIn = async (page: typeof first, label: string, value: string) => {
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await fieldOf(page, label).fill(value);
      await saved;
      await page.getByText(words.save.saved).waitFor();
    };
    await second.getByText(words.save.saved).waitFor();
    await fillIn(first, words.draft.requirements, 'Leave room for the title');
    // The second window learns of it by its own save, and sends nothing else.
    await fillIn(second, words.draft.tags, 'sea');
    assert.equal(await fieldOf(second, words.draft.requirements).inputValue(), 'Leave room for the title');
    // The first one does when it gets the focus, also while something is typed.
    await fieldOf(first, words.draft.size).fill('A4');
    await first.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await until('the tag', async () => (await fieldOf(first, words.draft.tags).inputValue()) === 'sea');
    await first.getByText(words.save.saved).waitFor();
    await second.reload();
    const labels = [words.draft.requirements, words.draft.tags, words.draft.size];
    const values = await Promise.all(labels.map((label) => fieldOf(second, label).inputValue()));
    assert.deepEqual(values, ['Leave room for the title', 'sea', 'A4']);
    assertQuiet();
    await context.close();
  });
});
