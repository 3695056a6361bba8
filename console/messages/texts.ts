import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { type Formatters, formatToParts, IntlMessageFormat } from 'intl-messageformat';
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
  return (values: Values) =>
    formatToParts(message, locale(), formatters, IntlMessageFormat.formats, values)
      .map(({ value }) => value)
      .join('');
}

/** All texts share these: to make one takes ten times as long as to use it. */
const formatters: Formatters = {
  getNumberFormat: kept((...of) => new Intl.NumberFormat(...of)),
  getDateTimeFormat: kept((...of) => new Intl.DateTimeFormat(...of)),
  getPluralRules: kept((...of) => new Intl.PluralRules(...of)),
};

function kept<Of extends unknown[], Made>(make: (...of: Of) => Made): (...of: Of) => Made {
  const made = new Map<string, Made>();
  return (...of) => {
    const key = JSON.stringify(of);
    const format = made.get(key) ?? make(...of);
    made.set(key, format);
    return format;
  };
}
