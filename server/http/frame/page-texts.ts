import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import english from '../../../console/messages/en.json' with { type: 'json' };

/** Texts of the console, as `console/messages/<language>.json` has them. */
export type Texts = string | readonly Texts[] | { readonly [key: string]: Texts };

/** The texts of one language that the service itself writes. `{name}` stands for a value. */
export type PageTexts = {
  language: string;
  titles: { market: string; leaderboard: string; start: string; missing: string };
  /** Each lead says in a sentence or two what its page is for. */
  leads: { market: string; leaderboard: string; start: string };
} & typeof english.service;

type Catalog = Pick<typeof english, 'site' | 'service'>;

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'console', 'messages');

export const ENGLISH: PageTexts = pageTexts('en', english);

/** The texts of every language of the console. */
export const PAGE_TEXTS: Readonly<Record<string, PageTexts>> = Object.fromEntries(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .map((language) => [language, pageTexts(language, translation(language))]),
);

function translation(language: string): Catalog {
  const texts = JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Texts;
  return withFallback(english, texts) as Catalog;
}

function pageTexts(language: string, { site, service }: Catalog): PageTexts {
  const { market, leaderboard, entering, messages } = site;
  return {
    language,
    titles: {
      market: market.title,
      leaderboard: leaderboard.title,
      start: entering.title,
      missing: messages.notFound.title,
    },
    leads: { market: market.lead, leaderboard: leaderboard.lead, start: entering.lead },
    ...service,
  };
}

/** Returns a translation with the English text wherever it has none. */
export function withFallback(texts: Texts, translated: Texts | undefined): Texts {
  if (typeof texts === 'string' || Array.isArray(texts)) return translated ?? texts;
  const found = (translated ?? {}) as { readonly [key: string]: Texts };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withFallback(text, found[key])]));
}

/** Fills a text with its values. They are strangers' texts, and no value is read again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
