import type { Context } from 'hono';
import { detectFromCookie, detectFromHeader } from 'hono/language';
import { ENGLISH, PAGE_TEXTS, type PageTexts } from '../frame/page-texts.ts';

/**
 * Returns the texts of a page in the language that the reader chose, or else in the browser's first that the console has,
 * or else in English.
 */
export function textsFor(c: Context): PageTexts {
  const options = {
    supportedLanguages: Object.keys(PAGE_TEXTS),
    fallbackLanguage: ENGLISH.language,
    ignoreCase: true,
    order: ['cookie' as const, 'header' as const],
    caches: false as const,
    // console/shell/language-switch.tsx writes the cookie.
    lookupCookie: 'language',
    lookupFromHeaderKey: 'accept-language',
    lookupQueryString: '',
    lookupFromPathIndex: 0,
  };
  const language = detectFromCookie(c, options) ?? detectFromHeader(c, options);
  return PAGE_TEXTS[language ?? ''] ?? ENGLISH;
}
