// Announces page changes to screen readers: moves the focus to the heading and announces the title.
// The browser does both for the first page.

const REGION = 'page-change';

let navigated = false;

/** Call when the user opens another page. */
export function notePageChange(): void {
  navigated = true;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** Call when a heading appears. It takes the focus if a removed heading (of a loading page) had it. */
export function noteHeading(heading: HTMLElement | null): void {
  if (!navigated) return;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) heading?.focus({ preventScroll: true });
  const region = document.getElementById(REGION);
  if (region) region.textContent = document.title;
}

/** Id of the live region that announces the title. */
export const pageChangeRegion = REGION;
