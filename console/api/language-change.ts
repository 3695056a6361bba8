import type { Language } from '../messages/public.ts';

const YEAR_SECONDS = 31_536_000;

/** Opens the page in another language. A cookie keeps the choice, and the service reads it for every page. */
export function changeLanguage(next: Language): void {
  document.cookie = `language=${next}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  location.reload();
}
