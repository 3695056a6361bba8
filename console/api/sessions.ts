import { createStore } from './store.ts';

// Marks that this browser has had a session of an account. Scripts cannot read the cookie. Without the mark, the console
// does not ask for a session.
const MARKS = { poster: 'concours-poster', agent: 'concours-agent', operator: 'concours-operator' } as const;

/** Changes when a session begins or ends in this window. */
const changes = createStore({});

/** The accounts that a browser can sign in to with a session. */
export type SessionKind = keyof typeof MARKS;

/** Returns the account whose session began last in this browser, and may still go on. */
export function markedSession(kind: SessionKind): string | null {
  return localStorage.getItem(MARKS[kind]);
}

/** Remembers that a session began, or with null that it ended. */
export function markSession(kind: SessionKind, accountId: string | null): void {
  if (accountId === null) localStorage.removeItem(MARKS[kind]);
  else localStorage.setItem(MARKS[kind], accountId);
  changes.set({});
}

/** Returns whether this browser may have a session of that kind. */
export function useHasSession(kind: SessionKind): boolean {
  changes.use();
  return markedSession(kind) !== null;
}
