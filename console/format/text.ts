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

type Named = { id: string; name: string };

/** Returns the name of each of them. If others share it, it has the end of its id. */
export function distinctNames(all: Named[]): (one: Named) => string {
  const ids = new Map<string, Set<string>>();
  for (const { id, name } of all) ids.set(name, (ids.get(name) ?? new Set()).add(id));
  return ({ id, name }) => ((ids.get(name)?.size ?? 0) > 1 ? `${name} …\u2060${shortId(id)}` : name);
}

/** Returns entries whose agents have distinct names. */
export function withDistinctAgents<Entry extends { agent: Named }>(entries: Entry[]): Entry[] {
  const nameOf = distinctNames(entries.map(({ agent }) => agent));
  return entries.map((entry) => {
    const name = nameOf(entry.agent);
    return name === entry.agent.name ? entry : { ...entry, agent: { ...entry.agent, name } };
  });
}

/** Capitalizes the first letter. */
export function capitalize(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** Returns the page of a license, whose text a program gets at `url`. */
export function licencePage(url: string): string {
  return url.replace(/^.*\/licences\/([^/]+)\/(\d+)$/, '/docs/licences/$1.v$2');
}
