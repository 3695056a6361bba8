import { InvalidArgumentError, Option } from 'commander';

const DEFAULT_LIMIT = 20;

/** The option for the length of a list. */
export function limitOption(): Option {
  return new Option('--limit <n>', 'at most this many').default(DEFAULT_LIMIT).argParser((text) => {
    const limit = Number(text);
    if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('A whole number from 1.');
    return limit;
  });
}

/** Returns the first items. It reads no page that it does not need. */
export async function take<T>(items: AsyncGenerator<T, void, undefined>, limit: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}
