import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { poster as words } from '../../console/messages/public.ts';
import { type OpenProject, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { drawPictures, fillGallery } from '../support/console/console-seed.ts';
import { swipe } from '../support/console/console-touch.ts';
import { skip, startConsoleWorld } from '../support/console/console-world.ts';

const consoleWorld = await startConsoleWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_POSTER_NOTES_PER_MINUTE: '100000' },
});
const ENTRIES = 45;

describe('45 entries in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { url, service, outage } = world;
  const { db } = service.deps;
  const { signInWithKey, look } = posterSteps(consoleWorld);
  let project: OpenProject;

  /** Signs in and opens the project's page, with an entry or a comparison. */
  async function opened(view: 'light' | 'phone' = 'light', place = '') {
    const visit = await open('/poster', view);
    await signInWithKey(visit.page, project.poster.key);
    await visit.page.goto(`${url}/poster/projects/${project.id}${place}`);
    await visit.page.getByText(words.gallery.loaded({ shown: ENTRIES, total: ENTRIES, all: 'true' })).waitFor();
    return visit;
  }

  const dialogOf = (page: Page) => page.getByRole('dialog');
  const fieldOf = (page: Page) => page.getByRole('dialog').getByLabel(words.viewer.feedback);
  const closed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' });
  const openedId = (page: Page) => new URL(page.url()).searchParams.get('entry');
  const idAt = async (page: Page, index: number) =>
    (await page.locator(`[data-index="${index}"]`).getAttribute('data-entry')) ?? assert.fail();

  async function noted(id: string) {
    const [row] = await db<
      { draft: string | null; mark: string | null; feedback: string | null; score: number | null }[]
    >`
      select n.feedback_draft as draft, n.mark, s.feedback, s.score
      from submissions s left join entry_notes n on n.submission_id = s.id where s.id = ${id}`;
    return row ?? assert.fail();
  }
  const drafted = (id: string, text: string | null) =>
    until(`the draft ${text}`, async () => (await noted(id)).draft === text);

  it('are judged by keyboard, in the grid and in the viewer', async () => {
    project = await openProject(world, { prizeUsdc: 20, entryFeeUsdc: 0 });
    const shapes = [
      [320, 400],
      [400, 300],
      [400, 400],
    ] as const;
    const drawn = await drawPictures(6);
    const pictures = await Promise.all(
      drawn.flatMap((picture) =>
        shapes.map(([width, height]) => sharp(picture).resize(width, height).webp().toBuffer()),
      ),
    );
    await fillGallery(world, project.id, pictures, ENTRIES);
    const visit = await opened();
    const { page } = visit;
    await page.locator('[data-index="0"]').focus();
    for (let index = 0; index < ENTRIES; index += 1) {
      await page.keyboard.press(String((index % 5) + 1));
      if (index % 9 === 0) await page.keyboard.press('s');
      if (index % 5 === 0) await page.keyboard.press('o');
      await page.keyboard.press('ArrowRight');
    }
    await until('all scores and marks', async () => {
      const [row] = await db<[{ scored: number; out: number; listed: number }]>`
        select count(s.score) as scored, count(*) filter (where n.mark = 'out') as out,
          count(*) filter (where n.mark = 'shortlist') as listed
        from submissions s left join entry_notes n on n.submission_id = s.id where s.project_id = ${project.id}`;
      return row.scored === ENTRIES && row.out === 9 && row.listed === 4;
    });
    await page.getByLabel(words.gallery.filter).selectOption('shortlist');
    await page.getByText(words.gallery.loaded({ shown: 4, total: ENTRIES, all: 'false' })).waitFor();
    await page.getByLabel(words.gallery.filter).selectOption('all');
    await page.locator('[data-index="0"]').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: words.keys.title }).waitFor();
    await look(page, 'keys', visit, 'window');
    await page.keyboard.press('Escape');
    await closed(page);
    await look(page, 'workspace', visit);
    await page.setViewportSize({ width: 1440, height: 900 });
    // Key B gives the entries the whole width, and the browser remembers the size of the pictures.
    const columns = async () => await page.getByRole('complementary', { name: words.facts.side }).count();
    await page.keyboard.press('b');
    assert.equal(await columns(), 0);
    await page.getByLabel(words.gallery.size).fill('330');
    await visit.shoot('poster-workspace-full-1440');
    await page.reload();
    assert.equal(await page.getByLabel(words.gallery.size).inputValue(), '330');
    visit.assertQuiet();
    await visit.context.close();
  });

  it('a link that compares unknown entries says so, and the keys of the page work', async () => {
    const [one, other] = ['01a1fd68-1a1d-7b89-b14d-8a21a36746c2', '01a1fd68-1a1d-7b89-b14d-8a21a36746c3'];
    const visit = await opened('light', `?compare=${one}_${other}`);
    const { page } = visit;
    await page.getByRole('alert').filter({ hasText: words.gallery.unknownCompared }).waitFor();
    await page.locator('[data-index="0"]').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: words.keys.title }).waitFor();
    visit.assertQuiet();
    await visit.context.close();
  });

  it('have addresses: Back closes the viewer, and a link opens it', async () => {
    const visit = await opened();
    const { page } = visit;
    const [first, second] = [await idAt(page, 0), await idAt(page, 1)];
    await page.locator('[data-index="0"]').press('Enter');
    await dialogOf(page).waitFor();
    assert.equal(openedId(page), first);
    await page.keyboard.press('ArrowRight');
    await until('the next address', async () => openedId(page) === second);
    await page.keyboard.press('b');
    await dialogOf(page).getByRole('region', { name: words.viewer.brief }).waitFor();
    await look(page, 'viewer', visit, 'window');
    const focused = async () => await page.evaluate('document.activeElement.dataset.index');
    await page.goBack();
    await closed(page);
    assert.match(page.url(), new RegExp(`/poster/projects/${project.id}$`));
    assert.equal(await focused(), '0');
    await page.locator('[data-index="1"]').press('Enter');
    await dialogOf(page).getByRole('button', { name: words.viewer.close, exact: true }).click();
    await closed(page);
    assert.equal(await focused(), '1');
    await page.goto(`${url}/poster/projects/${project.id}?entry=${second}`);
    await dialogOf(page).waitFor();
    await page.keyboard.press('Escape');
    await closed(page);
    await until('the address of the page', async () => openedId(page) === null);
    visit.assertQuiet();
    await visit.context.close();
  });

  it('keep feedback through Esc, Back, another entry, a closed tab, and a stopped server', async () => {
    const visit = await opened();
    const { page, context } = visit;
    const id = await idAt(page, 3);
    const type = async (text: string) => {
      await page.keyboard.press('f');
      await page.keyboard.press('End');
      await page.keyboard.type(text);
    };
    const shows = async (text: string) => assert.equal(await fieldOf(page).inputValue(), text);
    await page.locator('[data-index="3"]').press('Enter');
    await dialogOf(page).waitFor();
    await type('Calm');
    // The first Esc leaves the field, and only the second one closes the viewer.
    await page.keyboard.press('Escape');
    await shows('Calm');
    assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
    await page.keyboard.press('Escape');
    await closed(page);
    await drafted(id, 'Calm');
    assert.equal((await noted(id)).feedback, '');
    await page.locator('[data-index="3"]').press('Enter');
    await shows('Calm');
    await type(' water');
    await page.goBack();
    await closed(page);
    await drafted(id, 'Calm water');
    await page.goForward();
    await dialogOf(page).waitFor();
    await type(',');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    await drafted(id, 'Calm water,');
    await page.keyboard.press('ArrowLeft');
    await until('the first entry', async () => openedId(page) === id);
    // The server stops while the poster types, and the tab is closed before it is back.
    await outage(async () => {
      await type(' good light');
      await dialogOf(page).getByText(words.viewer.draft.offline).waitFor();
      await page.close();
    });
    assert.equal((await noted(id)).draft, 'Calm water,');
    const again = await context.newPage();
    await again.goto(`${url}/poster/projects/${project.id}?entry=${id}`);
    await fieldOf(again).waitFor();
    assert.equal(await fieldOf(again).inputValue(), 'Calm water, good light');
    await drafted(id, 'Calm water, good light');
    // A stopped server that comes back while the page is open gets the text too.
    await outage(async () => {
      await fieldOf(again).press('End');
      await again.keyboard.type('!');
      await dialogOf(again).getByText(words.viewer.draft.offline).waitFor();
    });
    await drafted(id, 'Calm water, good light!');
    await fieldOf(again).press('Control+Enter');
    await until('the feedback', async () => (await noted(id)).feedback === 'Calm water, good light!');
    await drafted(id, null);
    await context.close();
  });

  it('are judged on a phone: by swipe, marks, and score', async () => {
    const visit = await opened('phone');
    const { page } = visit;
    const [first, second] = [await idAt(page, 0), await idAt(page, 1)];
    const before = (await noted(second)).mark;
    await page.locator('[data-index="0"]').tap();
    await dialogOf(page).waitFor();
    assert.equal(openedId(page), first);
    await swipe(page, 300, 60);
    await until('the next entry', async () => openedId(page) === second);
    await swipe(page, 60, 300);
    await until('the first entry', async () => openedId(page) === first);
    await swipe(page, 300, 60);
    await until('the next entry again', async () => openedId(page) === second);
    await dialogOf(page).getByRole('radio', { name: /^4:/ }).check();
    await dialogOf(page).getByRole('button', { name: words.viewer.shortlist }).click();
    await until('the score', async () => (await noted(second)).score === 4);
    await until('the mark', async () => (await noted(second)).mark !== before);
    await visit.assertAccessible();
    await visit.shoot('poster-viewer-touch-phone', 'window');
    await page.goBack();
    await closed(page);
    visit.assertQuiet();
    await visit.context.close();
  });

  it('are compared four at a time with one zoom, and one is chosen while entries are open', async () => {
    const visit = await opened();
    const { page } = visit;
    const ids: string[] = [];
    await page.locator('[data-index="0"]').focus();
    for (let index = 0; index < 4; index += 1) {
      ids.push(await idAt(page, index));
      await page.keyboard.press('c');
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('v');
    const compare = page.getByRole('dialog', { name: words.compare.title });
    await compare.waitFor();
    const sides = compare.locator('[data-side]');
    assert.equal(await sides.count(), 4);
    await look(page, 'compare', visit, 'window');
    await page.setViewportSize({ width: 1440, height: 900 });
    await visit.shoot('poster-compare-1440', 'window');
    // The wheel zooms all pictures in the same way, and a drag moves all of them.
    const pane = compare.locator('[data-pane="2"]');
    await pane.hover();
    await page.mouse.wheel(0, -600);
    await page.mouse.down();
    await page.mouse.move(600, 300, { steps: 4 });
    await page.mouse.up();
    const transforms = new Set(await page.evaluate<string[]>(TRANSFORMS));
    assert.equal(transforms.size, 1);
    assert.match([...transforms][0] ?? '', /matrix\((?!1,)/);
    await page.keyboard.press('0');
    await compare.getByText(words.compare.zoom({ percent: 100 })).waitFor();
    // Swap the first two, and score the one that has the focus.
    await compare.getByRole('button', { name: words.compare.swap({ place: 1 }) }).click();
    await until('the swap', async () => (await sides.first().getAttribute('data-side')) === ids[1]);
    await page.keyboard.press('5');
    await until('a score', async () => (await noted(ids[0]!)).score === 5 || (await noted(ids[1]!)).score === 5);
    await sides.first().getByLabel(words.viewer.feedback).fill('The best of four');
    await drafted(ids[1]!, 'The best of four');
    await sides.first().getByRole('button', { name: words.viewer.closeAndChoose }).click();
    const award = page.getByRole('dialog', { name: words.award.closeTitle });
    await award.getByText(words.award.closeText).waitFor();
    await award.getByText(words.award.closeNotice({ notice: 'none' })).waitFor();
    await look(page, 'close-and-choose', visit, 'window');
    await award.getByRole('button', { name: words.award.closeConfirm }).click();
    await until('the award', async () => {
      const [row] = await db<{ winner: string | null }[]>`
        select winner_submission_id as winner from projects where id = ${project.id}`;
      return row?.winner === ids[1];
    });
    // The winner comes first, and the draft that was not sent is still the poster's.
    await page.reload();
    await page.locator(`[data-index="0"][data-entry="${ids[1]}"]`).waitFor();
    assert.equal((await noted(ids[1]!)).draft, 'The best of four');
    await look(page, 'chosen', visit);
    await visit.context.close();
  });
});

const TRANSFORMS = "[...document.querySelectorAll('[data-pane] img')].map((each) => getComputedStyle(each).transform)";
