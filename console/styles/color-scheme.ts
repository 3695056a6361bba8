import { createStore } from '../api/public.ts';

export type Scheme = 'light' | 'dark';

/** public/first.js uses the same key to set the scheme before the first paint. */
const KEY = 'concours-color-scheme';
const ATTRIBUTE = 'data-mantine-color-scheme';

const system = matchMedia('(prefers-color-scheme: dark)');

function chosen(): Scheme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
    return null;
  }
}

const scheme = createStore<Scheme>(current());

function current(): Scheme {
  return chosen() ?? (system.matches ? 'dark' : 'light');
}

function apply(next: Scheme): void {
  document.documentElement.setAttribute(ATTRIBUTE, next);
  scheme.set(next);
}

system.addEventListener('change', () => apply(current()));
// The user changed the scheme in another window.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) apply(current());
});

/** Sets the scheme for this browser and overrides the system setting. */
export function chooseScheme(next: Scheme): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Storage is disabled.
  }
  apply(next);
}

/** Returns the color scheme: the user's choice, or else the system setting. */
export const useScheme = scheme.use;
