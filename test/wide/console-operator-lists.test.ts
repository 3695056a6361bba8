import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { call } from '../support/clients/client.ts';
import { brief, expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { areaOf } from '../support/console/console-signed-in.ts';
import { startConsoleWorld, skip, type View, views } from '../support/console/console-world.ts';

// The operator's lists by day and amount, the page of the machine, and the session.

const consoleWorld = await startConsoleWorld();
const { signIn, goTo } = areaOf({ label: 'Operator key', name: 'Operator' });
const CALM = { reducedMotion: 'reduce' } as const;
const DAY_MS = 86_400_000;

describe("the operator's lists, machine, and session in a browser", { skip }, async () => {
  assert.ok(consoleWorld);
  const { world } = consoleWorld;
  const { url, clock, operatorKey: key } = world;
  await openProject(world, { prizeUsdc: 3, fields: { title: 'A small bell' } });
  const poster = await registerPoster(url);
  const draft = brief({ prizeUsdc: 1.5, fields: { title: 'A tiny bell' } });
  expectStatus(await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: draft }), 201);
  const dayIn = (days: number) => new Date(clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

  it('filters by the days of a calendar, and the address keeps them', async () => {
    const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', 'light', CALM);
    await signIn(page, key, 'Overview');
    await goTo(page, 'Projects');
    await page.getByRole('link', { name: 'A small bell' }).waitFor();
    const from = page.getByLabel('From (UTC day)');
    assert.equal(await from.getAttribute('type'), 'date');
    await from.fill(dayIn(2));
    await page.getByText('No results').first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get('from'), dayIn(2));
    await from.fill(dayIn(-2));
    await page.getByLabel('To (UTC day)').fill(dayIn(2));
    // The list is pale until it has the rows of both days.
    await until('both days', async () => new URL(page.url()).searchParams.get('to') === dayIn(2));
    await page.getByRole('link', { name: 'A small bell' }).waitFor();
    await page.getByRole('link', { name: 'A tiny bell' }).waitFor();
    await shoot('operator-filters-light');
    await assertAccessible();
    await page.getByLabel('At least USDC').fill('2');
    await page.getByRole('link', { name: 'A tiny bell' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'A small bell' }).click();
    await page.getByRole('heading', { name: 'A small bell' }).first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'A small bell' }).waitFor();
    assert.deepEqual(
      [await from.inputValue(), await page.getByLabel('At least USDC').inputValue()],
      [dayIn(-2), '2'],
      'Back restores the fields',
    );
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'A tiny bell' }).waitFor();
    await until('empty fields', async () => (await from.inputValue()) === '');
    for (const name of ['Agents', 'Posters', 'Flags', 'Objections', 'Deliveries', 'Audit trail', 'Approvals']) {
      await goTo(page, name);
      assert.equal(await page.getByLabel('From (UTC day)').getAttribute('type'), 'date', name);
    }
    assertQuiet();
    await context.close();
  });

  it('reads amounts as the language writes them', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator', 'light', { ...CALM, locale: 'de-DE' });
    await page.getByLabel('Betreiberschlüssel').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Projekte', exact: true }).click();
    await page.getByRole('heading', { name: 'Projekte', level: 1 }).waitFor();
    const tiny = page.getByRole('link', { name: 'A tiny bell' });
    await tiny.waitFor();
    const least = page.getByLabel('Mindestens USDC');
    await least.fill('1,6');
    await tiny.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'A small bell' }).waitFor();
    assert.equal(amountInAddress(page), '1.6');
    assert.equal(await least.inputValue(), '1,6');
    await least.fill('viel');
    // The address takes what was typed last after what was typed before.
    await page.getByLabel('Von (UTC-Tag)').fill(dayIn(-2));
    await until('the day in the address', async () => page.url().includes(dayIn(-2)));
    assert.equal(amountInAddress(page), '1.6', 'the address takes amounts only');
    assertQuiet();
    await context.close();
  });

  for (const view of Object.keys(views) as View[])
    it(`${view}: shows dependencies, lanes, queues, and jobs`, async () => {
      const { page, context, assertQuiet, assertAccessible, shoot } = await consoleWorld.open('/operator', view, CALM);
      await signIn(page, key, 'Overview');
      await goTo(page, 'Machine');
      const table = (name: string) => page.getByRole('region', { name, exact: true });
      for (const part of ['Database', 'File storage', 'Chain node', 'Facilitator'])
        await table('Dependencies')
          .getByRole('row', { name: new RegExp(`^${part} Answers`) })
          .waitFor();
      await table('Broadcast lanes').getByRole('row', { name: /ETH$/ }).first().waitFor();
      await page.getByText('Emails due').waitFor();
      await table('Jobs of this process')
        .getByRole('row', { name: /^send payouts Every 1 second/ })
        .waitFor();
      await shoot(`operator-machine-${view}`);
      await assertAccessible();
      assertQuiet();
      await context.close();
    });

  it('shows a part that does not answer', async () => {
    const { page, context } = await consoleWorld.open('/operator', 'light', CALM);
    await page.route(
      ({ pathname }) => pathname === '/api/v1/operator/overview',
      async (route) => {
        const response = await route.fetch();
        const body: { data: { machine: { dependencies: { dependency: string; up: boolean }[] } } } =
          await response.json();
        for (const each of body.data.machine.dependencies) if (each.dependency === 'chain') each.up = false;
        await route.fulfill({ response, json: body });
      },
    );
    await signIn(page, key, 'Overview');
    await goTo(page, 'Machine');
    await page.getByRole('row', { name: /^Chain node Does not answer/ }).waitFor();
    await context.close();
  });

  it('reports a wrong key; a reload keeps the session until the person signs out, and the key is stored nowhere', async () => {
    const { page, context, assertQuiet } = await consoleWorld.open('/operator');
    await page.getByLabel('Operator key').fill('ck_operator_wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Unknown key.').waitFor();
    await signIn(page, key, 'Overview');
    // Cookies and all storage of the browser.
    const kept = JSON.stringify([
      await context.storageState({ indexedDB: true }),
      await page.evaluate('({ ...sessionStorage })'),
    ]);
    assert.ok(!kept.includes(key), kept);
    assert.equal(await page.evaluate('document.cookie.includes("session")'), false, 'scripts cannot read the cookie');
    await page.reload();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator key').waitFor();
    await page.reload();
    await page.getByLabel('Operator key').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Overview' }).count(), 0);
    assertQuiet(/401/);
    await context.close();
  });
});

/** The router writes a number that is a text as JSON. */
function amountInAddress(page: Page): unknown {
  return JSON.parse(new URL(page.url()).searchParams.get('min_usdc') ?? 'null');
}
