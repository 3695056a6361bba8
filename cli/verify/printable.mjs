// Control characters and direction marks would let a file name of a stranger change what the terminal shows.
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a text that a terminal shows as it is.
 *
 * @param {string} text
 */
export function printable(text) {
  return text.replaceAll(UNPRINTABLE, '\uFFFD');
}
