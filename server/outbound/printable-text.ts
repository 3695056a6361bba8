/** PostgreSQL stores no NUL, terminals obey escape sequences, and direction marks reorder the text around them. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

const decoder = new TextDecoder();

/**
 * Decodes UTF-8 into text that is safe to store and show. `truncated`: the last character may be incomplete, and is
 * then dropped.
 */
export function printableText(bytes: Buffer, { truncated }: { truncated: boolean }): string {
  // A decoder that streams keeps the incomplete character, so it cannot be shared.
  const text = truncated ? new TextDecoder().decode(bytes, { stream: true }) : decoder.decode(bytes);
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, (character) => (character === '\n' || character === '\t' ? character : '\u{fffd}'));
}
