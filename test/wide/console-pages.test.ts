import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { brief, expectStatus } from '../support/clients/journey.ts';
import { privateRoutes, publicRoutes } from '../support/console/console-routes.ts';
import { seedDesk, seedMarket } from '../support/console/console-seed.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { type OpenPage, skip, startConsole } from '../support/console/console-world.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';

// Every page of the console, for each who sees it: axe finds no violation, and the page logs no error.
// With CONSOLE_PICTURES=FOLDER, it also saves a picture of each page.

const MISSING = '/nothing/here';
/** A visitor writes a brief, and signs in to pay. */
const DRAFT = '/poster/draft';
const WIDTHS = [1280, 390];
const PICTURES = process.env['CONSOLE_PICTURES'];
/** One page is missing. The browser logs its answer as an error. */
const EXPECTED = /\/nothing\/here/;

const env = { ...SHARED_SETTINGS.env, PAYOUT_CAP_USDC: '100' };
const started = await startConsole(() => startWorld({ console: true, env }));
const seeded = started ? await seed(started.world) : null;
if (PICTURES) await mkdir(PICTURES, { recursive: true });

async function seed(world: Parameters<typeof seedDesk>[0]) {
  const market = await seedMarket(world);
  const { dear } = await seedDesk(world);
  const { poster } = market.completed;
  const made = await call(world.url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() });
  const draft = expectStatus(made, 201).body.data.project.id as string;
  return { ...market, poster, dear, draft };
}

describe('the pages of the console', { skip }, () => {
  assert.ok(started && seeded);
  const { world } = started;
  const { open, judging, completed, dear, poster, winner, draft } = seeded;
  const ids = {
    projects: [open.id, judging.id, completed.id, dear.id],
    agents: [winner.id],
    posters: [poster.id],
  };
  /** The paths with real ids in place of their parameters. */
  const filled = (paths: string[]) =>
    paths.flatMap((path) => {
      const kind = /(projects|agents|posters)\/\*/.exec(path)?.[1] as keyof typeof ids | undefined;
      return kind ? ids[kind].map((id) => path.replace('*', id)) : [path];
    });
  const areaOf = (area: string) => filled(privateRoutes('*')).filter((path) => path.startsWith(`/${area}`));
  const links = new Set<string>();

  async function inspect({ page, assertAccessible }: OpenPage, path: string): Promise<void> {
    await page.goto(world.url + path);
    await page.locator('main h1').waitFor();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await settled(page);
      const name = `${path.replaceAll(/[^a-z]+/g, '-')}-${width}`;
      if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
      await assertAccessible().catch((error: Error) => assert.fail(`${path} at ${width} px: ${error.message}`));
    }
    const found = await page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map((each) => each.href)');
    for (const link of found) if (link.startsWith(`${world.url}/`)) links.add(link.split('#', 1).join());
  }

  async function signIn({ page }: OpenPage, key: string): Promise<void> {
    const field = page.locator('main input[type="password"]');
    await field.fill(key);
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
    await page.locator('main h1').waitFor();
  }

  it('for visitors, who are asked to sign in where it is needed', async () => {
    const opened = await started.open('/');
    for (const path of [...filled(publicRoutes('*')), MISSING, DRAFT, '/poster', '/agent', '/operator'])
      await inspect(opened, path);
    links.delete(world.url + MISSING);
    for (const path of ['poster', 'agent', 'operator'].flatMap(areaOf)) {
      if (path === DRAFT) continue;
      await opened.page.goto(world.url + path);
      await opened.page.locator('main input[type="password"]').waitFor();
    }
    opened.assertQuiet(EXPECTED);
    await opened.context.close();
  });

  const areas = { poster: poster.key, agent: winner.key, operator: world.operatorKey };
  for (const [area, key] of Object.entries(areas))
    it(`for the ${area}`, async () => {
      const opened = await started.open(`/${area}`);
      await signIn(opened, key);
      const viewers = [`/poster/draft?id=${draft}`, `/poster/projects/${completed.id}?entry=${winner.submissionId}`];
      const more = area === 'poster' ? viewers : [];
      // A poster sees only the poster's own projects.
      const paths = areaOf(area).filter((path) => area === 'operator' || !path.includes(dear.id));
      for (const path of [...paths, ...more]) await inspect(opened, path);
      opened.assertQuiet(EXPECTED);
      await opened.context.close();
    });

  it('have links that lead somewhere', async () => {
    const broken: string[] = [];
    for (const link of links) {
      const response = await fetch(link, { headers: { accept: 'text/html' } });
      await response.arrayBuffer();
      if (!response.ok) broken.push(`${response.status} ${link}`);
    }
    assert.deepEqual(broken, []);
    assert.ok(links.size >= 20, [...links].join(' '));
  });
});
