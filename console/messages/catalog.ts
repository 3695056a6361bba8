// Parses the catalogs. The build runs this file, and browsers get its results: scripts/catalogs.ts.
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** A catalog as a person writes it: texts in ICU message syntax. */
export type Source = string | readonly Source[] | { readonly [key: string]: Source };

/** A parsed catalog. A text without placeholders stays a string. */
export type Parsed = string | readonly MessageFormatElement[] | readonly Parsed[] | { readonly [key: string]: Parsed };

/** A parsed catalog that remembers the type of its source. */
export type Catalog<Texts = unknown> = { readonly parsed: Parsed; readonly texts?: Texts };

/** The keys of a catalog with any text. */
export type Shape<Texts> = Texts extends string ? string : { readonly [Key in keyof Texts]: Shape<Texts[Key]> };

/** Parses the English catalog, which defines the keys and the placeholders. */
export function catalog<const Texts extends Source>(texts: Texts): Catalog<Texts> {
  return { parsed: parsed(texts) };
}

/** Parses a translation. It has the keys of the English catalog. */
// eslint-disable-next-line typescript/no-unnecessary-type-parameters -- each catalog names the English one
export function translation<English extends Catalog>(
  texts: English extends Catalog<infer Texts> ? Shape<Texts> : never,
): Catalog {
  return { parsed: parsed(texts) };
}

function parsed(source: Source): Parsed {
  if (typeof source === 'string') return message(source);
  if (isList(source)) return source.map((each) => parsed(each));
  return Object.fromEntries(Object.entries(source).map(([key, value]) => [key, parsed(value)]));
}

function isList(source: Source): source is readonly Source[] {
  return Array.isArray(source);
}

function message(text: string): Parsed {
  // A text is never HTML: `<id>` is what it says.
  const elements = parse(text, { ignoreTag: true, captureLocation: false });
  const plain = elements.every((element) => element.type === TYPE.literal);
  return plain ? elements.map((element) => (element.type === TYPE.literal ? element.value : '')).join('') : elements;
}
