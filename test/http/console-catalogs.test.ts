import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import refusals from '../../console/messages/en/refusals.ts';
import { errorStatus } from '../../contract/basics/errors.ts';
import type { Catalog, Parsed } from '../../console/messages/catalog.ts';
import { LANGUAGES } from '../../console/messages/language.ts';
import { operator } from '../../console/messages/public.ts';
import { AUDIT_ACTIONS, AUDIT_KINDS } from '../../server/audit/public.ts';
import { textsReadBy } from '../support/used-texts.ts';

// A catalog that does not parse fails when this file imports it.

const CONSOLE = join(import.meta.dirname, '..', '..', 'console');

type Texts = Map<string, Parsed>;

const namesOf = (language: string) =>
  readdirSync(join(CONSOLE, 'messages', language), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/').slice(0, -3))
    .toSorted();

async function textsOf(language: string): Promise<Texts> {
  const texts: Texts = new Map();
  for (const name of namesOf(language)) {
    const { default: catalog } = (await import(`../../console/messages/${language}/${name}.ts`)) as {
      default?: Catalog;
    };
    // A part of a catalog exports its texts under a name, and its catalog imports them.
    if (catalog) collect(catalog.parsed, name, texts);
  }
  return texts;
}

function collect(parsed: Parsed, path: string, texts: Texts): void {
  if (typeof parsed === 'string' || isMessage(parsed)) texts.set(path, parsed);
  else for (const [key, child] of Object.entries(parsed)) collect(child, `${path}.${key}`, texts);
}

function isMessage(parsed: Parsed): parsed is readonly MessageFormatElement[] {
  return Array.isArray(parsed) && typeof (parsed[0] as { type?: unknown } | undefined)?.type === 'number';
}

/** The placeholders of a message, with the kinds of those that choose a form. */
function placeholdersOf(parsed: Parsed): string[] {
  if (!isMessage(parsed)) return [];
  const found = parsed.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.argument:
      case TYPE.number:
        return [element.value];
      case TYPE.select:
      case TYPE.plural:
        return [
          `${element.value} ${TYPE[element.type]}`,
          ...Object.values(element.options).flatMap((option) => placeholdersOf(option.value)),
        ];
      case TYPE.literal:
      case TYPE.pound:
        return [];
      default:
        return [`${TYPE[element.type]}: dates, times, and tags are for components`];
    }
  });
  return [...new Set(found)].toSorted();
}

/** The forms of each plural and select of a message. */
function formsOf(parsed: Parsed): { kind: 'plural' | 'select'; forms: string[] }[] {
  if (!isMessage(parsed)) return [];
  return parsed.flatMap((element) =>
    element.type === TYPE.plural || element.type === TYPE.select
      ? [
          { kind: TYPE[element.type] as 'plural' | 'select', forms: Object.keys(element.options) },
          ...Object.values(element.options).flatMap((option) => formsOf(option.value)),
        ]
      : [],
  );
}

const english = await textsOf('en');
const roots = catalogNames();

describe('the catalogs of the console', () => {
  for (const language of LANGUAGES.filter((each) => each !== 'en')) {
    describe(language, async () => {
      const texts = await textsOf(language);

      it('has each key of the English catalogs, and no other', () => {
        assert.deepEqual(namesOf(language), namesOf('en'));
        assert.deepEqual([...texts.keys()].toSorted(), [...english.keys()].toSorted());
      });

      it('has the placeholders of the English messages', () => {
        for (const [key, parsed] of english)
          assert.deepEqual(placeholdersOf(texts.get(key) ?? ''), placeholdersOf(parsed), key);
      });

      it('has a text wherever the English catalog has one', () => {
        for (const [key, parsed] of english) assert.equal(texts.get(key)?.length === 0, parsed.length === 0, key);
      });

      it('uses plural forms that the language has', () => {
        const known = new Set([...new Intl.PluralRules(language).resolvedOptions().pluralCategories, 'other']);
        for (const [key, parsed] of texts)
          for (const { kind, forms } of formsOf(parsed)) {
            const named = forms.filter((form) => kind === 'plural' && !form.startsWith('='));
            assert.deepEqual(
              named.filter((form) => !known.has(form as Intl.LDMLPluralRule)),
              [],
              key,
            );
          }
      });
    });
  }

  it('have no text that no component reads', () => {
    const parts = new Set([...english.keys()].flatMap(partsOf));
    // `text.list.map` reads the list.
    const partOf = (path: string) => partsOf(path).findLast((part) => parts.has(part)) ?? path;
    const read = new Set(sourcesBelow(CONSOLE).flatMap((source) => [...textsReadBy(source, roots)].map(partOf)));
    // The service reads the catalog `pages`: page-texts.test.ts compares its texts with those that the service knows.
    // `meaningOf` reads the catalog `refusals` by codes: see below.
    const ofPages = [...english.keys()].filter((path) => !/^(?:pages|refusals)\./.test(path));
    assert.deepEqual(
      ofPages.filter((path) => !partsOf(path).some((part) => read.has(part))),
      [],
    );
  });
});

describe('the texts that a source reads', () => {
  const readBy = (source: string) =>
    [...textsReadBy(`import { market, messages as shell } from '../messages/public.ts';\n${source}`, roots)].toSorted();

  it('are found by their whole path, through names and patterns', () => {
    assert.deepEqual(
      readBy('const text = market.project; const { fields, rules: { tie } } = text; f(fields.fee, tie);'),
      ['market.project.fields.fee', 'market.project.rules.tie'],
    );
    assert.deepEqual(readBy('const x = <A {...market.empty} fee={shell.more} />;'), ['market.empty', 'shell.more']);
    assert.deepEqual(readBy('export const text = market.enter; f(`${market.card.by({ poster: text.id })}`);'), [
      'market.card.by',
      'market.enter',
      'market.enter.id',
    ]);
  });

  it('are a whole part where only a run knows which', () => {
    assert.deepEqual(readBy('const text = market.filters; f(text.orders[order]); g({ text });'), [
      'market.filters',
      'market.filters.orders',
    ]);
    assert.deepEqual(readBy('const { title, ...rest } = market.ways;'), ['market.ways']);
  });

  it('are none for a name, a type, or a label alone', () => {
    assert.deepEqual(
      readBy(
        'const text = market.enter; type A = keyof typeof market.filters; f({ market: 1 }, a.market); <B market="c" />;',
      ),
      [],
    );
  });
});

/** A path and all parts above it, from the catalog on. */
function partsOf(path: string): string[] {
  return path.split('.').map((_, index, steps) => steps.slice(0, index + 1).join('.'));
}

/** The exported names of the catalogs, with their keys. */
function catalogNames(): Map<string, string> {
  const index = readFileSync(join(CONSOLE, 'messages', 'public.ts'), 'utf8');
  return new Map(
    [...index.matchAll(/export \{ (?:meaningOf, )?(\w+) \} from '\.\/([\w-]+)\.ts'/g)].map(
      ([, name = '', file = '']) => [name, file],
    ),
  );
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('messages'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('the meanings of error codes', () => {
  it('exist for every code that a page shows with the words of the service, and for no other', () => {
    const shown = Object.entries(errorStatus)
      .filter(([code, status]) => code === 'DELIVERY_UNAVAILABLE' || (status < 500 && status !== 429))
      .map(([code]) => code);
    assert.deepEqual(Object.keys(refusals.parsed).toSorted(), shown.toSorted());
  });
});

describe('the words of the audit trail', () => {
  const { actions, kinds } = operator.audit;

  it('exist for every action that the service records, and for no other', () =>
    assert.deepEqual(Object.keys(actions).toSorted(), AUDIT_ACTIONS.toSorted()));

  it('exist for every kind of actor and subject, and for no other', () =>
    assert.deepEqual(Object.keys(kinds).toSorted(), AUDIT_KINDS.toSorted()));
});
