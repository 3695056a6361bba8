import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Plugin } from 'vite';
import { eventNames } from '../contract/events/events.ts';
import { type Texts, withFallback } from '../server/http/frame/page-texts.ts';

const FOLDER = join(import.meta.dirname, '..', 'console', 'messages');
const PART = /[\\/]console[\\/]messages[\\/]([a-z]{2})\.json\?part=(\w+)$/;

/**
 * Answers `<language>.json?part=<part>` with that part alone, with English where a translation is missing. Texts with
 * placeholders are parsed, so that browsers load no parser.
 */
export function parsedTexts(): Plugin {
  return {
    name: 'parsed-texts',
    enforce: 'pre',
    load(id) {
      const [, language, part] = PART.exec(id) ?? [];
      if (!language || !part) return null;
      return `export default ${JSON.stringify(parsed(withFallback(englishTexts()[part] ?? {}, read(language)[part])))};`;
    },
  };
}

/** Returns the English texts: those of `en.json`, and the names of events, which the contract has. */
export function englishTexts(): Record<string, Texts> {
  const { account, ...others } = read('en') as { account: { notifications: object } } & Record<string, Texts>;
  return { ...others, account: { ...account, notifications: { ...account.notifications, types: eventNames } } };
}

function read(language: string): Record<string, Texts> {
  return JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Record<string, Texts>;
}

function parsed(texts: Texts): unknown {
  if (Array.isArray(texts)) return texts.map((each: Texts) => parsed(each));
  if (typeof texts !== 'string')
    return Object.fromEntries(Object.entries(texts).map(([key, child]) => [key, parsed(child)]));
  // A text is never HTML: `<id>` is what it says.
  const message = parse(texts, { ignoreTag: true, captureLocation: false });
  const plain = message.every((element) => element.type === TYPE.literal);
  return plain ? message.map((element) => (element.type === TYPE.literal ? element.value : '')).join('') : { message };
}
