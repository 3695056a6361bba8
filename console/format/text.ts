/** Shortens an address or a hash to its first and last characters. */
export function shortHash(value: string): string {
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}

/** Capitalizes the first letter. */
export function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
