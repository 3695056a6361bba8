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
