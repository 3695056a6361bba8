import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { poster as words } from '../../console/messages/public.ts';
import { enter } from '../support/clients/contestants.ts';
import { drawing, openProject } from '../support/clients/journey.ts';
import { ownProject } from '../support/endings/ending.ts';
import { until } from '../support/processes/processes.ts';
import { posterSteps } from '../support/console/console-poster-steps.ts';
import { skip, startConsoleWorld } from '../support/console/console-world.ts';

// A poster closes early and chooses at once: the choice waits for the end of entries, and can be changed until then.

const HOUR_MS = 3_600_000;
const consoleWorld = await startConsoleWorld({
  env: { CLOSE_NOTICE_MINUTES: '15', LIMIT_POSTER_PER_MINUTE: '100000' },
});

describe('a planned winner in the browser', { skip }, () => {
  assert.ok(consoleWorld);
  const { world, open } = consoleWorld;
  const { signInWithKey, look } = posterSteps(consoleWorld);

  it('is chosen, replaced by another entry, and withdrawn', async () => {
    const project = await openProject(world, { prizeUsdc: 10, fields: { title: 'Chosen early' } });
    const [first, second] = [
      await enter(world, project, { picture: await drawing(901) }),
      await enter(world, project, { picture: await drawing(902) }),
    ];
    const planned = async () => (await ownProject(world, project))['planned_winner_id'];
    const opened = await open('/poster');
    const { page, context, assertQuiet } = opened;
    await signInWithKey(page, project.poster.key);
    await page.goto(`${world.url}/poster/projects/${project.id}`);

    /** Chooses an entry in the viewer, and inspects the dialog with this title. */
    async function chooseIn(entryId: string, title: string, name: string): Promise<void> {
      await page.locator(`[data-entry="${entryId}"]`).click();
      await page.getByRole('button', { name: words.viewer.closeAndChoose }).click();
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      await look(page, name, opened, 'window');
      await dialog.getByRole('button', { name: words.award.closeConfirm }).click();
      await dialog.waitFor({ state: 'hidden' });
    }

    await chooseIn(first.submissionId, words.award.closeTitle, 'close-and-choose');
    await page.getByRole('heading', { name: words.actions.planned }).waitFor();
    assert.equal(await planned(), first.submissionId);
    await look(page, 'planned', opened);
    await chooseIn(second.submissionId, words.award.replaceTitle, 'replace-choice');
    await page.getByRole('heading', { name: words.actions.planned }).waitFor();
    assert.equal(await planned(), second.submissionId);

    await page.getByRole('button', { name: words.actions.withdraw }).click();
    const dialog = page.getByRole('dialog', { name: words.actions.withdrawTitle });
    await dialog.getByText(words.actions.withdrawText).waitFor();
    await look(page, 'withdraw-choice', opened, 'window');
    await dialog.getByRole('button', { name: words.actions.withdraw }).click();
    await page.getByRole('heading', { name: words.actions.notice }).waitFor();
    assert.equal(await planned(), null);
    assertQuiet();
    await context.close();
  });

  it('says before and after the award that feedback without a score is not sent', async () => {
    const deadline = new Date(world.clock.now().getTime() + HOUR_MS);
    const project = await openProject(world, { prizeUsdc: 10, deadline, fields: { title: 'Told too late' } });
    const [winner, other] = [
      await enter(world, project, { picture: await drawing(903) }),
      await enter(world, project, { picture: await drawing(904) }),
    ];
    const { page, context } = await open('/poster');
    await signInWithKey(page, project.poster.key);
    world.clock.offsetMs += HOUR_MS;
    await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
    await page.goto(`${world.url}/poster/projects/${project.id}?entry=${other.submissionId}`);
    await page.getByLabel(words.viewer.feedback).fill('More room for the title');
    await page.getByText(words.viewer.draft.saved).waitFor();
    await page.goto(`${world.url}/poster/projects/${project.id}?entry=${winner.submissionId}`);
    await page.getByRole('button', { name: words.viewer.choose }).click();
    const dialog = page.getByRole('dialog', { name: words.award.title });
    await dialog.getByText(words.award.unsent({ amount: 1 })).waitFor();
    await dialog.getByRole('button', { name: /^Pay/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.goto(`${world.url}/poster/projects/${project.id}?entry=${other.submissionId}`);
    await page.getByText(words.viewer.unsentUnscored).waitFor();
    await page.getByText('More room for the title').waitFor();
    await context.close();
  });

  it('says before the award that the agent has no wallet yet', async () => {
    const deadline = new Date(world.clock.now().getTime() + HOUR_MS);
    const project = await openProject(world, { entryFeeUsdc: 0, deadline, fields: { title: 'Free to enter' } });
    const winner = await enter(world, project, { picture: await drawing(905), wallet: 'none' });
    const opened = await open('/poster');
    const { page, context } = opened;
    await signInWithKey(page, project.poster.key);
    await page.goto(`${world.url}/poster/projects/${project.id}?entry=${winner.submissionId}`);
    await page.getByRole('button', { name: words.viewer.closeAndChoose }).click();
    await page.getByText(words.award.noWallet({ paid: 'false' })).waitFor();
    await look(page, 'no-wallet', opened, 'window');
    await context.close();
  });
});
