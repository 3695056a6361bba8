// Control characters and direction marks would let a file name of a stranger change what the terminal shows.
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Returns a text that a terminal shows as it is.
 *
 * @param {string} text
 */
export function printable(text) {
  return text.replaceAll(UNPRINTABLE, '\uFFFD');
}
