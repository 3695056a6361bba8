// Opening another page, for those who do not see it: the focus is on its heading, its title is said. For the first page the
// browser does both.

const REGION = 'page-change';

let navigated = false;

/** Another page was opened than the one that was there first. */
export function notePageChange(): void {
  navigated = true;
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** A heading is there; the one before it, of a page that was still loading, may have taken the focus with it. */
export function noteHeading(heading: HTMLElement | null): void {
  if (!navigated) return;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) heading?.focus({ preventScroll: true });
  const region = document.getElementById(REGION);
  if (region) region.textContent = document.title;
}

/** Of the element that screen readers listen to. */
export const pageChangeRegion = REGION;
