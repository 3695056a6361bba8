import type { Locator, Page } from 'playwright-core';
import { until } from '../../support/processes/processes.ts';

// How tests go about in the areas that are opened with a key.

/** No skeleton is shown any more, and what is in sight has its pictures. Never is the network idle for sure: pages keep asking. */
export async function settled(page: Page): Promise<void> {
  const isSettled = `!document.querySelector('[aria-busy="true"]') && [...document.images]
    .every((image) => image.complete || image.getBoundingClientRect().top > innerHeight)`;
  await until('the page has what it shows', async () => (await page.evaluate(isSettled)) === true);
}

export type Area = {
  /** The key is typed once: a reload would forget it, so everything else is reached by links. `name` heads the first page. */
  signIn(page: Page, key: string, name: string): Promise<void>;
  section(page: Page, name: string): Locator;
  goTo(page: Page, name: string): Promise<void>;
};

/** `label` is of the field for the key, `name` of the area. */
export function areaOf({ label, name: area }: { label: string; name: string }): Area {
  const section = (page: Page, name: string) =>
    page.getByRole('navigation', { name: `${area}: sections` }).getByRole('link', { name, exact: true });
  return {
    section,
    async signIn(page, key, name) {
      await page.getByLabel(label).fill(key);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
    },
    async goTo(page, name) {
      await section(page, name).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await settled(page);
    },
  };
}
