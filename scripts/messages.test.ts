import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { LANGUAGES } from '../console/messages/language.ts';
import { unused } from './messages.ts';
import { englishTexts } from './parsed-texts.ts';
import { type Texts, withFallback } from '../server/http/frame/page-texts.ts';

const FOLDER = join(import.meta.dirname, '..', 'console', 'messages');

const read = (language: string) => JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Texts;

/** Returns each text by its path, such as `site.market.title`. */
function textsOf(of: Texts): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (child: Texts, path: string[]) => {
    if (typeof child === 'string') texts.set(path.join('.'), child);
    else for (const [key, each] of Object.entries(child)) add(each, [...path, key]);
  };
  add(of, []);
  return texts;
}

/** Returns the names in a text with their types, such as `amount: plural`. */
function placeholdersOf(text: string): string[] {
  const found = new Set<string>();
  const visit = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue;
      found.add(`${element.value}: ${TYPE[element.type]}`);
      if (!('options' in element)) continue;
      for (const { value } of Object.values(element.options)) visit(value);
    }
  };
  visit(parse(text, { ignoreTag: true }));
  return [...found].toSorted();
}

describe('the texts of the console', () => {
  const english = textsOf(englishTexts());

  it('are in a file for each language', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
    assert.deepEqual(files.toSorted(), LANGUAGES.map((language) => `${language}.json`).toSorted());
  });

  for (const language of LANGUAGES) {
    it(`${language}: every text is one of English, with the same placeholders`, () => {
      for (const [path, text] of textsOf(read(language))) {
        const original = english.get(path) ?? assert.fail(`${path} is no English text`);
        assert.deepEqual(placeholdersOf(text), placeholdersOf(original), path);
        if (path.startsWith('service.')) assert.doesNotMatch(text, /\{\w+,/, `${path} takes plain names`);
      }
    });
  }

  it('are all used', () => assert.deepEqual([...unused], []));

  it('are English where a translation is missing', () => {
    const texts = { a: 'one', b: { c: 'two', d: ['three'] } };
    assert.deepEqual(withFallback(texts, { b: { c: 'zwei' } }), { a: 'one', b: { c: 'zwei', d: ['three'] } });
  });
});
