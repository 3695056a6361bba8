import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Maxima } from './console-maxima.ts';
import { settled } from './console-signed-in.ts';
import type { OpenPage } from './console-world.ts';

// The main pages of the console, and what does not fit on them.

const MISFITS = await readFile(join(import.meta.dirname, 'console-fit.page.js'), 'utf8');

/** Grids of pictures measure their width and draw again after a change, so only a misfit that stays counts. */
export async function misfitsOf(page: Page): Promise<string[]> {
  const found = await page.evaluate<string[]>(MISFITS);
  if (found.length === 0) return found;
  await settled(page);
  await page.waitForTimeout(500);
  return await page.evaluate<string[]>(MISFITS);
}

export type Visit = {
  name: string;
  path: string;
  /** Whether the address opens a dialog. */
  isDialog?: boolean;
  /** A button in the dialog that is pressed before the look. */
  press?: string;
};

export const visitorPages = ({ open, judging, completed, cancelled, agent }: Maxima): Visit[] => [
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

export const posterPages = ({ open, judging, completed, cancelled, draft }: Maxima): Visit[] => [
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

/** The lightbox of a visitor. */
export const visitorViewers = ({ completed, entries }: Maxima): Visit[] => [
  { name: 'lightbox', path: `/projects/${completed}?entry=${entries.completed[0]}`, isDialog: true },
];

/** The viewer, the comparison, and the dialog of the award. */
export const posterViewers = ({ judging, completed, entries }: Maxima): Visit[] => {
  const viewer = `/poster/projects/${judging}?entry=${entries.judging[0]}`;
  const compared = entries.completed.slice(0, 4).join('_');
  return [
    { name: 'viewer', path: viewer, isDialog: true },
    { name: 'compare', path: `/poster/projects/${completed}?compare=${compared}`, isDialog: true },
    { name: 'award', path: viewer, isDialog: true, press: 'dialog button:has(.lucide-trophy)' },
  ];
};

export const agentPages: Visit[] = [
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

/** Signs in with a key. `section` is the address of a page that only its owner sees. */
export async function signIn({ page }: OpenPage, key: string, section: string): Promise<void> {
  const field = page.locator('main input[type="password"]');
  await field.fill(key);
  await field.press('Enter');
  await page.locator(`a[href="${section}"]`).first().waitFor();
}
