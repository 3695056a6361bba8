/** The languages of the console. Each has a file `<language>.json`. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Returns the language of the page. It stays until the page is left: another language is another page. */
export function language(): Language {
  // public/first.js sets it before any module runs: the user's choice, or else what the service found in the request.
  const { concoursLanguage } = globalThis as { concoursLanguage?: unknown };
  return LANGUAGES.find((each) => each === concoursLanguage) ?? 'en';
}

/**
 * Returns the locale of dates and numbers: the browser's variant of the language, such as `en-GB`, or else the language
 * itself.
 */
export function locale(): string {
  return navigator.languages.find((each) => each.split('-')[0] === language()) ?? language();
}

/** Keeps one formatter for each locale. */
export function forLocale<Formatter>(create: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>();
  return () => {
    const name = locale();
    const formatter = made.get(name) ?? create(name);
    made.set(name, formatter);
    return formatter;
  };
}
