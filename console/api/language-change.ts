import type { Language } from '../messages/public.ts';

const YEAR_SECONDS = 31_536_000;
const leaving = new Set<() => void>();

/** Calls `keep` before the page reloads in another language. It can hand over what only the page's memory holds. */
export function beforeLanguageChange(keep: () => void): void {
  leaving.add(keep);
}

/** Opens the page in another language. A cookie keeps the choice, and the service reads it for every page. */
export function changeLanguage(next: Language): void {
  document.cookie = `language=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  for (const keep of leaving) keep();
  location.reload();
}
