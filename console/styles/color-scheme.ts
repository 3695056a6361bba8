import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark';

/** The same as in public/first.js, which sets the scheme before anything is painted. */
const KEY = 'concours-colours';
const ATTRIBUTE = 'data-mantine-color-scheme';

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function chosen(): Scheme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    // Storage that is switched off: what is chosen holds for this page.
    return null;
  }
}

let scheme: Scheme = current();

function current(): Scheme {
  return chosen() ?? (system.matches ? 'dark' : 'light');
}

function apply(next: Scheme): void {
  scheme = next;
  document.documentElement.setAttribute(ATTRIBUTE, next);
  for (const listener of listeners) listener();
}

system.addEventListener('change', () => apply(current()));
// Another window of the console has chosen.
window.addEventListener('storage', ({ key }) => {
  if (key === KEY) apply(current());
});

/** From now on in this browser, whatever the system says. */
export function chooseScheme(next: Scheme): void {
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // As above.
  }
  apply(next);
}

/** Light or dark: the system's, until somebody chooses. */
export function useScheme(): Scheme {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => scheme,
  );
}
