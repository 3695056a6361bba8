import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, language, locale } from './language.ts';

type Values = Readonly<Record<string, string | number>>;

/** A text without placeholders is a string, one with placeholders a function of their values. */
type Text = string & ((values: Values) => string);

/** The texts of a part of en.json as components read them. */
type Texts<English> = English extends string ? Text : { readonly [Key in keyof English]: Texts<English[Key]> };

/** A text with placeholders comes parsed: scripts/parsed-texts.ts. */
type Parsed = string | { message: MessageFormatElement[] } | readonly Parsed[] | { readonly [key: string]: Parsed };

/** Loads a part of the texts in the language of the page. The build puts English where a translation is missing. */
export async function loadTexts<English>(
  load: (language: Language) => Promise<{ default: unknown }>,
): Promise<Texts<English>> {
  const { default: parsed } = await load(language());
  return readable(parsed as Parsed) as Texts<English>;
}

function readable(parsed: Parsed): unknown {
  if (typeof parsed === 'string') return parsed;
  if (Array.isArray(parsed)) return parsed.map((each: Parsed) => readable(each));
  if (isMessage(parsed)) return formatted(parsed.message);
  return Object.fromEntries(Object.entries(parsed).map(([key, child]) => [key, readable(child)]));
}

function isMessage(parsed: Parsed): parsed is { message: MessageFormatElement[] } {
  return typeof parsed === 'object' && 'message' in parsed && Array.isArray(parsed.message);
}

function formatted(message: MessageFormatElement[]) {
  let format: IntlMessageFormat | undefined;
  return (values: Values) => {
    format ??= new IntlMessageFormat(message, locale());
    return String(format.format(values));
  };
}
