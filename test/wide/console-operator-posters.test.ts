import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openProject } from '../support/clients/journey.ts';
import { areaOf } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip } from '../support/console/console-world.ts';

// The operator's search, posters, and saved lists.

const consoleWorld = await startConsoleWorld();
const { signIn: open, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });

describe("the operator's search and posters in a browser", { skip }, () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;

  it('finds a poster, suspends it with a reason, and saves lists as CSV', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', {
      reducedMotion: 'reduce',
    });
    const dialog = page.getByRole('dialog');
    const { poster } = await openProject(world, { fields: { title: 'The zoetrope brief' } });
    await open(page, world.operatorKey, 'Overview');
    await goTo(page, 'Search');
    await page.getByRole('searchbox').fill(poster.id);
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('cell', { name: 'Poster', exact: true })
      .or(page.getByRole('rowheader', { name: 'Poster' }))
      .first()
      .waitFor();
    await assertAccessible();
    await shoot('operator-search-results');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('link', { name: 'The zoetrope brief' }).waitFor();
    await assertAccessible();
    await shoot('operator-poster');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByLabel('Reason').fill('Briefs that cheat');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('This poster publishes nothing new.').waitFor();
    const notice = page.getByText(/ is suspended\.$/);
    await notice.waitFor();
    await page.getByRole('button', { name: 'End the suspension' }).click();
    await dialog.getByText('The poster can publish again.').waitFor();
    await assertAccessible();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // A notice disappears when another page opens.
    await goTo(page, 'Posters');
    assert.equal(await notice.count(), 0);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'posters.csv');
    assertQuiet();
    await context.close();
  });
});
