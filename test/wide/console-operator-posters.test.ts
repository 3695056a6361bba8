import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
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
    const { poster, id } = await openProject(world, { fields: { title: 'The zoetrope brief' } });
    const [{ payer }] = await world.service.deps.db<[{ payer: string }]>`
      select payer from payments where kind = 'escrow' and subject_id = ${id}`;
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
    const own = await consoleWorld.open('/poster');
    await own.page
      .getByLabel('Poster API key')
      .or(own.page.locator('main input[type="password"]'))
      .first()
      .fill(poster.key);
    await own.page.keyboard.press('Enter');
    for (const path of ['', '/draft', '/keys']) {
      await own.page.getByText('Reason: Briefs that cheat').waitFor();
      await own.page.goto(`${world.url}/poster${path}`);
    }
    await own.page.getByText('You cannot publish new briefs.').waitFor();
    await own.assertAccessible();
    await own.context.close();
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
    for (const name of ['Operators', 'Withdrawal addresses']) {
      await goTo(page, name);
      await page.getByRole('button', { name: 'Save as CSV' }).waitFor();
    }
    await page.goto(`${world.url}/operator/search?q=${payer}`);
    await page.getByRole('link', { name: 'Prize into escrow · Settled' }).waitFor();
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor();
    assertQuiet();
    await context.close();
  });

  it('names the owner and the event of deliveries to accounts', async () => {
    const failing = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve));
    after(() => failing.close());
    const hook = `http://127.0.0.1:${(failing.address() as AddressInfo).port}/hooks`;
    const project = await openProject(world, { fields: { title: 'A deaf bell' } });
    const register = async (path: string, key: string, type: string) =>
      expectStatus(await call(world.url, 'POST', path, { key, body: { url: `${hook}?${type}`, types: [type] } }), 201);
    const agent = await registerAgent(world.url, { agent_name: 'Deaf Ear' });
    await register('/posters/me/webhooks', project.poster.key, 'ENTRY.CONFIRMED');
    const { webhook } = (await register('/agents/me/webhooks', agent.key, 'KEY.CREATED')).body.data;
    await enter(world, project);
    expectStatus(
      await call(world.url, 'POST', '/agents/me/keys', { key: agent.key, body: { name: 'Second', scope: 'read' } }),
      201,
    );
    const listed = async (query = '') =>
      expectStatus(
        await call(world.url, 'GET', `/operator/webhooks/deliveries${query}`, { key: world.operatorKey }),
        200,
      ).body.data.deliveries;
    await until('the failures', async () => (await listed()).length >= 2);
    const ofProject = (await listed(`?project_id=${project.id}`)) as { event: string }[];
    assert.deepEqual(
      ofProject.map(({ event }) => event),
      ['ENTRY.CONFIRMED'],
    );
    await call(world.url, 'DELETE', `/agents/me/webhooks/${webhook.id}`, { key: agent.key });
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator');
    await open(page, world.operatorKey, 'Overview');
    await goTo(page, 'Deliveries');
    const ofPoster = page.getByRole('row').filter({ hasText: 'New entry' });
    assert.equal(await ofPoster.getByRole('link').getAttribute('href'), `/operator/posters/${project.poster.id}`);
    const ofAgent = page.getByRole('row').filter({ hasText: 'Key created' });
    await ofAgent.getByText('Deleted by its agent').waitFor();
    assert.equal(await ofAgent.getByRole('link').getAttribute('href'), `/operator/agents/${agent.id}`);
    await shoot('operator-account-deliveries-light');
    await assertAccessible();
    assertQuiet();
    await context.close();
  });

  it('draws the bars of two series side by side', async () => {
    const { db } = world.service.deps;
    const today = world.clock.now().getTime();
    for (const days of [1, 2, 3, 4]) {
      const at = new Date(today - days * 86_400_000);
      await db`
        insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
        select gen_random_uuid(), 'Past agent ' || ${days}::text || '-' || n, '', '{logo-design}', '{}', ${at}, ${at}
        from generate_series(1, 30) n`;
      // The service finds the days of posters by their ids, which begin with their time.
      await db`
        insert into posters (id, name, created_at)
        select overlay(gen_random_uuid()::text placing ${idStart(at)} from 1 for 15)::uuid, 'Past poster', ${at}
        from generate_series(1, 30) n`;
    }
    const { page, context, assertQuiet, shoot } = await consoleWorld.open('/operator');
    await open(page, world.operatorKey, 'Overview');
    const figure = page.locator('figure').filter({ hasText: 'New agents and posters' });
    await figure.locator('canvas').waitFor();
    await shoot('operator-bars-light');
    const [agents = 0, posters = 0] = await page.evaluate<number[]>(AREAS);
    assert.ok(agents > 1000 && posters > 1000, `${agents} and ${posters} pixels`);
    // Both series have equal values on four of five days.
    assert.ok(Math.abs(agents - posters) < agents / 4, `${agents} and ${posters} pixels`);
    assertQuiet();
    await context.close();
  });
});

/** Returns the first characters of a UUIDv7 of this time. */
function idStart(at: Date): string {
  return (
    at
      .getTime()
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-') + '-7'
  );
}

/** Counts the pixels of the chart in the color of each series of its legend. */
const AREAS = String.raw`(() => {
  const figure = [...document.querySelectorAll('figure')].find(({ innerText }) => innerText.includes('New agents and'));
  const canvas = figure.querySelector('canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return [...figure.querySelectorAll('li > span')].map((swatch) => {
    const wanted = getComputedStyle(swatch).backgroundColor.match(/\d+/g).map(Number);
    let pixels = 0;
    for (let place = 0; place < data.length; place += 4)
      if (wanted.every((part, index) => data[place + index] === part)) pixels += 1;
    return pixels;
  });
})()`;
