const ALGORITHM = /^sha256:/;

/** Shortens an address or a hash to its first and last characters. The name of a hash algorithm stays. */
export function shortHash(value: string): string {
  if (ALGORITHM.test(value)) return `sha256:${shortHash(value.replace(ALGORITHM, ''))}`;
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}

/** Capitalizes the first letter. */
export function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
