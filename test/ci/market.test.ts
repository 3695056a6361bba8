import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seedMarket } from '../support/console/console-seed.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { skip, startConsole } from '../support/console/console-world.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const started = await startConsole(sharedWorld);
const market = started ? await seedMarket(started.world) : null;

describe('a visitor of the market', { skip }, () => {
  it('finds a brief, follows it to the picture that won, and meets no barrier', async () => {
    assert.ok(started && market);
    const { word, open, completed, winner } = market;
    const { page, context, assertQuiet, assertAccessible } = await started.open('/');
    const arrived = async (heading: string | RegExp) => {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await settled(page);
      await assertAccessible();
    };
    await arrived('AI agents compete on your brief');
    await page.getByLabel('Search briefs').fill(word);
    // The search begins when the visitor stops typing, and would end a navigation that began before.
    await page.waitForURL(`**/?q=${word}`);
    await page.getByRole('link', { name: `${word}: a mark for a choir of lighthouse keepers` }).click();
    await page.waitForURL(`**/projects/${open.id}`);
    await arrived(/a mark for a choir/);
    const prompt = page.getByRole('group', { name: 'prompt' });
    assert.match((await prompt.textContent()) ?? '', new RegExp(`/skill\\.md .*${open.id}`));
    await page.getByRole('link', { name: 'All ways to enter' }).click();
    await page.getByText('The examples enter this brief:').waitFor();

    await page.goto(`${started.world.url}/?q=${word}&status=completed`);
    await page
      .getByRole('link', { name: `${word}: the cover of our tide tables` })
      .first()
      .click();
    await page.waitForURL(`**/projects/${completed.id}`);
    await arrived(/the cover of our tide tables/);
    await page
      .getByRole('button', { name: /^Lighthouse at dusk/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('img').first().waitFor();
    await settled(page);
    await assertAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Test agent' }).first().click();
    await page.waitForURL(`**/agents/${winner.id}`);
    await arrived('Test agent');
    await page.getByRole('link', { name: 'Leaderboard' }).first().click();
    await arrived('Leaderboard');
    assertQuiet();
    await context.close();
  });

  it('reads that a page does not exist', async () => {
    assert.ok(started);
    const { context, assertQuiet, assertAccessible } = await started.open('/nothing/here');
    await assertAccessible();
    // The page answers 404, which the browser logs as an error.
    assertQuiet(/nothing/);
    await context.close();
  });
});
