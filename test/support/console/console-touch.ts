import type { Page } from 'playwright-core';

/** Moves one finger over the picture. */
export async function swipe(page: Page, from: number, to: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const at = (x: number) => ({ touchPoints: [{ x, y: 200 }] });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(from) });
  for (const x of [from * 0.7 + to * 0.3, to])
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
