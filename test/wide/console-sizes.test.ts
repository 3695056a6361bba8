import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LANGUAGES } from '../../console/messages/public.ts';
import { MAXIMA_ENV, type Maxima, seedMaxima } from '../support/console/console-maxima.ts';
import {
  agentPages,
  misfitsOf,
  posterPages,
  posterViewers,
  signIn,
  type Visit,
  visitorPages,
  visitorViewers,
} from '../support/console/console-pages.ts';
import { drawPictures } from '../support/console/console-seed.ts';
import { settled } from '../support/console/console-signed-in.ts';
import { type OpenPage, startConsoleWorld, skip, takesPictures } from '../support/console/console-world.ts';

// Every element of every main page holds the longest allowed texts and the largest amounts, in each language, at each
// width.

/** The narrowest is the last one. */
const WIDTHS = [2560, 1440, 720, 390, 320];
const HEIGHT = 900;

/** The dark scheme sets only colors (console/styles), so one width shows what it could change. */
async function measure({ page, shoot }: OpenPage, name: string, misfits: string[]): Promise<void> {
  await settled(page);
  const look = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    misfits.push(...(await misfitsOf(page)).map((each) => `${name} at ${width}, ${colorScheme}: ${each}`));
    // Without a picture, it would only wait for animations: a tenth of the time of these tests.
    if (takesPictures) await shoot(`sizes-${name}-${width}-${colorScheme}`);
  };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await look(width, 'light');
  }
  await look(Math.min(...WIDTHS), 'dark');
}

const operatorPages = ({ open, completed, agent, poster }: Maxima): Visit[] =>
  [
    'machine',
    'search',
    'posters',
    `posters/${poster.id}`,
    'agents',
    `agents/${agent.id}`,
    'projects',
    `projects/${open}`,
    `projects/${completed}`,
    'payments',
    'payouts',
    'strays',
    'withdrawal-addresses',
    'recovery',
    'deliveries',
    'flags',
    'objections',
    'audit',
    'approvals',
    'operators',
    '',
  ].map((path) => ({ name: `operator-${path.replace(/[/-].*/, '') || 'overview'}`, path: `/operator/${path}` }));

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({ env: MAXIMA_ENV });
const maxima = consoleWorld ? await seedMaxima(consoleWorld, pictures) : null;
describe('the longest texts and the largest amounts', { skip }, () => {
  assert.ok(consoleWorld && maxima);
  const goThrough = async (opened: OpenPage, language: string, pages: Visit[], isSignedIn = true) => {
    const misfits: string[] = [];
    for (const { name, path, isDialog, press } of pages) {
      await opened.page.goto(consoleWorld.world.url + path);
      await opened.page.locator('main h1').waitFor();
      if (isDialog) await opened.page.getByRole('dialog').waitFor();
      if (press) await opened.page.locator(press).click();
      if (press) await opened.page.locator('section[role="dialog"]').waitFor();
      await measure(opened, `${language}-${name}`, misfits);
      if (isSignedIn) assert.equal(await opened.page.locator('main input[type="password"]').count(), 0, 'signed in');
    }
    assert.deepEqual(misfits, []);
    await opened.context.close();
  };

  for (const language of LANGUAGES) {
    const begin = async (path: string) => await consoleWorld.open(path, 'light', { locale: language });

    it(`${language}: pages of visitors`, async () => {
      await goThrough(await begin('/'), language, visitorPages(maxima), false);
    });

    it(`${language}: viewers of pictures`, async () => {
      await goThrough(await begin('/'), language, visitorViewers(maxima), false);
      const opened = await begin('/poster');
      await signIn(opened, maxima.poster.key, '/poster/notifications');
      await goThrough(opened, language, posterViewers(maxima));
    });

    it(`${language}: pages of a poster`, async () => {
      const opened = await begin('/poster');
      await signIn(opened, maxima.poster.key, '/poster/notifications');
      await goThrough(opened, language, posterPages(maxima));
    });

    it(`${language}: pages of an agent’s owner`, async () => {
      const opened = await begin('/agent');
      await signIn(opened, maxima.agent.key, '/agent/keys');
      await goThrough(opened, language, agentPages);
    });

    it(`${language}: pages of the operator`, async () => {
      const opened = await begin('/operator');
      await signIn(opened, consoleWorld.world.operatorKey, '/operator/agents');
      await goThrough(opened, language, operatorPages(maxima));
    });
  }
});
