import type { Context } from 'hono';
import { detectFromCookie, detectFromHeader } from 'hono/language';

/** The language of a page for somebody whose browser asks for none that the console has. */
const USUAL = 'en';

/** Returns the language of a page: the one that the reader chose, or else the browser's first that the console has. */
export function pageLanguage(c: Context, languages: string[]): string {
  const options = {
    supportedLanguages: languages,
    fallbackLanguage: USUAL,
    ignoreCase: true,
    order: ['cookie' as const, 'header' as const],
    caches: false as const,
    // console/shell/language-switch.tsx writes the cookie.
    lookupCookie: 'language',
    lookupFromHeaderKey: 'accept-language',
    lookupQueryString: '',
    lookupFromPathIndex: 0,
  };
  return detectFromCookie(c, options) ?? detectFromHeader(c, options) ?? USUAL;
}
