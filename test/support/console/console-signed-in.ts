import type { Page } from 'playwright-core';
import { until } from '../processes/processes.ts';

// Navigation in the areas behind an API key.

/** Waits until no skeleton is visible and visible pictures are loaded. Pages refetch, so the network is never idle. */
export async function settled(page: Page): Promise<void> {
  const isSettled = `!document.querySelector('[aria-busy="true"]') && [...document.images]
    .every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)`;
  await until('the page is loaded', async () => (await page.evaluate(isSettled)) === true);
}

/** Returns the steps of an area. `label` is the label of the key field; `name` is the name of the area. */
export function areaOf({ label, name: area }: { label: string; name: string }) {
  const section = (page: Page, name: string) =>
    page.getByRole('navigation', { name: `${area}: sections` }).getByRole('link', { name, exact: true });
  return {
    section,
    /** Types the key and waits for the heading `name`. The session outlives a reload. */
    async signIn(page: Page, key: string, name: string): Promise<void> {
      await page.getByLabel(label).fill(key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    },
    async goTo(page: Page, name: string): Promise<void> {
      await section(page, name).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await settled(page);
    },
  };
}
