// Control characters and direction marks would let the text of a stranger change what the terminal shows.
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Returns a text that a terminal shows as it is. Line breaks stay. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => (character === '\n' ? character : '\uFFFD'));
}

/** Returns a text on one line, as a terminal shows it. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, ' ').trim());
}

/** Returns JSON that a terminal shows as it is: JSON itself escapes only the control characters of ASCII. */
export function printableJson(value: unknown, indent?: number): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replaceAll(UNPRINTABLE, (character) => (character === '\n' ? character : escape(character)));
}

const MICRO_PER_USDC = 1_000_000;

/** Returns microdollars as USDC, such as `0.25`. */
export function usdc(micro: number): string {
  return (micro / MICRO_PER_USDC).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** Returns a time as `2026-11-23 12:00Z`. */
export function time(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 16).replace('T', ' ')}Z`;
}
