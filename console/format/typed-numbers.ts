import { forLocale } from '../messages/public.ts';

type Marks = { group: RegExp; decimal: string };

/** The marks of the locale: `1,000.5`, `1.000,5`, or `1 000,5`. */
const marks = forLocale((locale): Marks => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const mark = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  // People type spaces and straight apostrophes for the marks that their locale writes.
  const group = mark('group').trim() === '' ? String.raw`\s` : `[${mark('group')}\\s'’]`;
  return { group: new RegExp(`^(\\d{1,3})((?:${group}\\d{3})+)(?!\\d)`), decimal: mark('decimal') };
});

/**
 * Converts a typed number of the locale to the digits of the API: `1.000,50` becomes `1000.50` in German. Text that is
 * no number of the locale stays, so its field can say what is wrong. The digits are copied, so no amount is rounded.
 */
export function decimalText(typed: string): string {
  const { group, decimal } = marks();
  const text = typed.trim();
  const [, first, groups = ''] = group.exec(text) ?? [];
  // `0.500` is no number with groups: nobody writes a leading zero.
  const grouped = first === undefined || first.startsWith('0') ? '' : first + groups;
  const rest = text.slice(grouped.length);
  // Without groups, both marks are understood: people copy amounts from elsewhere.
  const [whole = '', fraction = '', ...more] = rest.split(grouped === '' ? /[.,]/ : decimal);
  const digits = grouped.replaceAll(/\D/g, '') + whole;
  if (more.length > 0 || !/^\d+$/.test(digits + fraction) || digits === '') return text;
  return fraction === '' ? digits : `${digits}.${fraction}`;
}
