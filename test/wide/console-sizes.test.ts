import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { LONGEST_SITE_NAME, type Maxima, seedMaxima } from './support/console-maxima.ts';
import { drawPictures } from './support/console-seed.ts';
import { settled } from './support/console-signed-in.ts';
import { type OpenPage, startConsoleWorld, skip } from './support/console-world.ts';

// Every element of every main page holds the longest allowed texts and the largest amounts, in each language, at each width.

const pictures = skip ? [] : await drawPictures(6);
const consoleWorld = await startConsoleWorld({
  env: {
    SITE_NAME: LONGEST_SITE_NAME,
    PAYOUT_CAP_USDC: '100',
    QUESTIONS_PER_DAY: '10',
    ...Object.fromEntries(
      [
        'POSTER_PER_MINUTE',
        'PUBLIC_READS_PER_MINUTE',
        'AGENT_ACCOUNT_PER_MINUTE',
        'REGISTRATIONS_PER_HOUR',
        'SIGN_INS_PER_HOUR',
      ].map((name) => [`LIMIT_${name}`, '100000']),
    ),
  },
});
const maxima = consoleWorld ? await seedMaxima(consoleWorld, pictures) : null;

const MISFITS = await readFile(join(import.meta.dirname, 'support', 'console-fit.page.js'), 'utf8');
const WIDTHS = [320, 390, 720, 1440, 2560];
const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'de', 'es', 'fr', 'zh'];
const HEIGHT = 900;

/** Grids of pictures measure their width and draw again after a change, so only a misfit that stays counts. */
async function misfitsOf(page: Page): Promise<string[]> {
  const found = await page.evaluate<string[]>(MISFITS);
  if (found.length === 0) return found;
  await settled(page);
  await page.waitForTimeout(500);
  return await page.evaluate<string[]>(MISFITS);
}

async function measure({ page, shoot }: OpenPage, name: string, misfits: string[]): Promise<void> {
  await settled(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      misfits.push(...(await misfitsOf(page)).map((each) => `${name} at ${width}, ${colorScheme}: ${each}`));
      await shoot(`sizes-${name}-${width}-${colorScheme}`);
    }
  }
}

type Visit = { name: string; path: string };

const visitorPages = ({ open, judging, completed, cancelled, agent }: Maxima): Visit[] => [
  { name: 'market', path: '/' },
  { name: 'open', path: `/projects/${open}` },
  { name: 'judging', path: `/projects/${judging}` },
  { name: 'completed', path: `/projects/${completed}` },
  { name: 'cancelled', path: `/projects/${cancelled}` },
  { name: 'start', path: '/agents/start' },
  { name: 'leaderboard', path: '/leaderboard' },
  { name: 'profile', path: `/agents/${agent.id}` },
  { name: 'poster-sign-in', path: '/poster' },
  { name: 'agent-sign-in', path: '/agent' },
  { name: 'operator-sign-in', path: '/operator' },
  { name: 'missing', path: '/projects/none' },
];

const posterPages = ({ open, judging, completed, cancelled, draft }: Maxima): Visit[] => [
  { name: 'home', path: '/poster' },
  { name: 'draft', path: `/poster/draft?id=${draft}` },
  { name: 'new', path: '/poster/draft' },
  { name: 'own-open', path: `/poster/projects/${open}` },
  { name: 'own-judging', path: `/poster/projects/${judging}` },
  { name: 'own-completed', path: `/poster/projects/${completed}` },
  { name: 'own-cancelled', path: `/poster/projects/${cancelled}` },
  { name: 'receipt', path: `/poster/projects/${completed}/receipt` },
  { name: 'notifications', path: '/poster/notifications' },
  { name: 'keys', path: '/poster/keys' },
];

const agentPages: Visit[] = [
  '',
  'submissions',
  'entries',
  'money',
  'analytics',
  'webhook',
  'notifications',
  'keys',
  'wallet',
  'settings',
].map((name) => ({ name: name || 'profile', path: `/agent/${name}` }));

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

/** The operator's key is in the memory of the page, so the page moves on without a reload. */
async function moveTo(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.locator('main h1').waitFor();
}

/** Signs in with a key. `section` is the address of a page that only its owner sees. */
async function signIn({ page }: OpenPage, key: string, section: string): Promise<void> {
  const field = page.locator('main input[type="password"]');
  await field.fill(key);
  await field.press('Enter');
  await page.locator(`a[href="${section}"]`).first().waitFor();
}

describe('the longest texts and the largest amounts', { skip }, () => {
  assert.ok(consoleWorld && maxima);

  for (const language of LANGUAGES) {
    const begin = async (path: string) => await consoleWorld.open(path, 'light', { locale: language });
    const goThrough = async (opened: OpenPage, pages: Visit[], isSignedIn = true) => {
      const misfits: string[] = [];
      for (const { name, path } of pages) {
        await opened.page.goto(consoleWorld.world.url + path);
        await opened.page.locator('main h1').waitFor();
        await measure(opened, `${language}-${name}`, misfits);
        if (isSignedIn) assert.equal(await opened.page.locator('main input[type="password"]').count(), 0, 'signed in');
      }
      assert.deepEqual(misfits, []);
      await opened.context.close();
    };

    it(`${language}: pages of visitors`, async () => {
      await goThrough(await begin('/'), visitorPages(maxima), false);
    });

    it(`${language}: pages of a poster`, async () => {
      const opened = await begin('/poster');
      await signIn(opened, maxima.poster.key, '/poster/notifications');
      await goThrough(opened, posterPages(maxima));
    });

    it(`${language}: pages of an agent’s owner`, async () => {
      const opened = await begin('/agent');
      await signIn(opened, maxima.agent.key, '/agent/keys');
      await goThrough(opened, agentPages);
    });

    it(`${language}: pages of the operator`, async () => {
      const opened = await begin('/operator');
      const { page } = opened;
      await signIn(opened, consoleWorld.world.operatorKey, '/operator/agents');
      const misfits: string[] = [];
      for (const { name, path } of operatorPages(maxima)) {
        await moveTo(page, path);
        await measure(opened, `${language}-${name}`, misfits);
      }
      assert.deepEqual(misfits, []);
      await opened.context.close();
    });
  }
});
