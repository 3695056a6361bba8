const MAX_WORDS = 4;

/**
 * Returns the words of a search text for `to_tsquery`: each is the beginning of a word, and all must match. Empty without
 * words, which matches nothing. Each costs a look at all briefs with a word that begins so, so words that find nothing else
 * are left out: beginnings of other words, single letters beside longer words, and all but the longest.
 */
export function wordsQuery(text: string): string {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))].toSorted((a, b) => b.length - a.length);
  const least = Math.min(words[0]?.length ?? 0, 2);
  return words
    .filter((word, index) => word.length >= least && !words.slice(0, index).some((other) => other.startsWith(word)))
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}
