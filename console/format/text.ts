const ALGORITHM = /^sha256:/;

/** Shortens an address or a hash to its first and last characters. The name of a hash algorithm stays. */
export function shortHash(value: string): string {
  if (ALGORITHM.test(value)) return `sha256:${shortHash(value.replace(ALGORITHM, ''))}`;
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}

/**
 * Shortens an id to its last digits, as the watermark of a picture does. The first digits of a UUIDv7 are its time, so they
 * are the same for all ids of a minute.
 */
export function shortId(id: string): string {
  return id.slice(-8);
}

/** Capitalizes the first letter. */
export function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the page of a license, whose text a program gets at `url`. */
export function licencePage(url: string): string {
  return url.replace(/^.*\/licences\/([^/]+)\/(\d+)$/, '/docs/licences/$1.v$2');
}
