import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import type { GetICUArgs } from '@schummar/icu-type-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Catalog, Parsed } from './catalog.ts';
import { type Language, language, locale } from './language.ts';

type Values<Text extends string> = GetICUArgs<Text, { ICUArgument: string | number; ICUNumberArgument: number }>;

/** The texts of an area as components read them. A text with placeholders is a function of their values. */
export type Texts<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? Message<English[Key]> : Texts<English[Key]>;
};
type Message<Text extends string> = keyof Values<Text> extends never ? string : (values: Values<Text>) => string;

type EnglishOf<Of extends Catalog> = Of extends Catalog<infer English> ? English : never;

/** Loads the texts of an area in the language of the page. */
export async function area<Of extends Catalog>(
  load: (language: Language) => Promise<{ default: Catalog }>,
): Promise<Texts<EnglishOf<Of>>> {
  const { default: catalog } = await load(language());
  return readable(catalog.parsed) as Texts<EnglishOf<Of>>;
}

function readable(parsed: Parsed): unknown {
  if (typeof parsed === 'string') return parsed;
  if (isMessage(parsed)) return formatted(parsed);
  if (isList(parsed)) return parsed.map((each) => readable(each));
  return Object.fromEntries(Object.entries(parsed).map(([key, child]) => [key, readable(child)]));
}

/** Parsed messages are lists of elements, each with the number of its type. */
function isMessage(parsed: Parsed): parsed is readonly MessageFormatElement[] {
  const first: unknown = Array.isArray(parsed) ? parsed[0] : undefined;
  return typeof first === 'object' && first !== null && 'type' in first && typeof first.type === 'number';
}

function isList(parsed: Parsed): parsed is readonly Parsed[] {
  return Array.isArray(parsed);
}

function formatted(message: readonly MessageFormatElement[]) {
  let format: IntlMessageFormat | undefined;
  return (values: Record<string, string | number>) => {
    format ??= new IntlMessageFormat([...message], locale());
    return String(format.format(values));
  };
}
