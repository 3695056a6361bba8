// The build's part of the console's languages: it parses the catalogs, so that browsers load no parser.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin, Rolldown } from 'vite';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Catalog, Parsed } from '../console/messages/catalog.ts';

type PublicTexts = { title: string; lead: string; notFound: { title: string } };

const FOLDER = join(import.meta.dirname, '..', 'console', 'messages');
const CATALOG = /[\\/]console[\\/]messages[\\/]([a-z]{2})[\\/](.+)\.ts$/;
/** The catalogs that every page loads. The service names them in the page, so that they load beside the code. */
const EVERYWHERE = ['shell', 'market'];

/** Replaces each catalog with its parsed messages, and writes `words.json` with what the service itself shows. */
export function catalogs(): Plugin {
  return {
    name: 'catalogs',
    enforce: 'pre',
    async load(path) {
      // In development, a changed catalog is read again.
      return CATALOG.test(path) ? `export default ${JSON.stringify(await read(path, statSync(path).mtimeMs))};` : null;
    },
    async generateBundle(_options, bundle) {
      const preload = new Map<string, string[]>();
      for (const chunk of Object.values(bundle)) {
        const { language, name } = catalogOf(chunk.type === 'chunk' ? chunk.facadeModuleId : null);
        if (language && EVERYWHERE.includes(name))
          preload.set(language, [...(preload.get(language) ?? []), `/${chunk.fileName}`]);
      }
      const words = Array.from(preload, async ([language, paths]) => [language, await wordsOf(language, paths)]);
      const source = JSON.stringify(Object.fromEntries(await Promise.all(words)));
      this.emitFile({ type: 'asset', fileName: 'words.json', source });
    },
  };
}

/** The name of a chunk's file. Catalogs carry their language. */
export function chunkFileName({ facadeModuleId }: Rolldown.PreRenderedChunk): string {
  const { language, name } = catalogOf(facadeModuleId);
  return language ? `assets/text-${language}-${name.replaceAll(/[\\/]/g, '-')}-[hash].js` : 'assets/[name]-[hash].js';
}

function catalogOf(path: string | null | undefined): { language: string; name: string } {
  const [, language = '', name = ''] = CATALOG.exec(path ?? '') ?? [];
  return { language, name };
}

async function read(path: string, version = 0): Promise<Catalog> {
  return ((await import(`${pathToFileURL(path).href}?${version}`)) as { default: Catalog }).default;
}

/** Reads the texts that the service writes into a page of this language. */
async function wordsOf(language: string, preload: string[]) {
  const areas = ['market', 'leaderboard', 'entering', 'shell'].map((name) => join(FOLDER, language, `${name}.ts`));
  const [market, leaderboard, start, shell] = await Promise.all(
    areas.map(async (path) => (await read(path)).parsed as unknown as PublicTexts),
  );
  const pages = await read(join(FOLDER, language, 'pages.ts'));
  return {
    preload,
    leads: { market: market?.lead, leaderboard: leaderboard?.lead, start: start?.lead },
    titles: {
      market: market?.title,
      leaderboard: leaderboard?.title,
      start: start?.title,
      missing: shell?.notFound.title,
    },
    pages: serverTexts(pages.parsed, language),
  };
}

type ServerText = string | { [key: string]: ServerText };

/**
 * Returns a catalog as the service reads it, which has no formatter: `{name}` stands for a value, and a text with a plural
 * has one text for each plural form of the language.
 */
export function serverTexts(parsed: Parsed, language: string): ServerText {
  if (typeof parsed === 'string') return parsed;
  if (!isMessage(parsed))
    return Object.fromEntries(Object.entries(parsed).map(([key, child]) => [key, serverTexts(child, language)]));
  if (!parsed.some(({ type }) => type === TYPE.plural)) return plainText(parsed, 'other');
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return Object.fromEntries(forms.map((form) => [form, plainText(parsed, form)]));
}

function isMessage(parsed: Parsed): parsed is readonly MessageFormatElement[] {
  return Array.isArray(parsed);
}

function plainText(elements: readonly MessageFormatElement[], form: string, counted = ''): string {
  const text = (element: MessageFormatElement): string => {
    switch (element.type) {
      case TYPE.literal:
        return element.value;
      case TYPE.argument:
        return `{${element.value}}`;
      case TYPE.pound:
        return `{${counted}}`;
      case TYPE.plural: {
        const { options, value } = element;
        return plainText((options[form] ?? options['other'])?.value ?? [], form, value);
      }
      default:
        throw new Error(`A text of the service has ${TYPE[element.type]}: it takes plain names and plurals`);
    }
  };
  return elements.map(text).join('');
}
