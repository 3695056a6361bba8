// A query that hangs must not hold up every other key.
const MOST_QUERIES = 2;
const MOST_IDS = 500;

type Waiting<T> = { resolve: (found: T | null) => void; reject: (error: unknown) => void };

/**
 * Reads rows by id, in few queries when many are wanted at once: 1,000 agents whose waiting requests end with the same event
 * come back together. One id is read at once. While two queries run, further ids wait and share the next one.
 */
export function readTogether<T>(
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (id: string) => Promise<T | null> {
  let waiting: { id: string; asked: Waiting<T> }[] = [];
  let running = 0;

  async function run(): Promise<void> {
    const taken = waiting.slice(0, MOST_IDS);
    waiting = waiting.slice(MOST_IDS);
    running += 1;
    try {
      const found = await read([...new Set(taken.map(({ id }) => id))]);
      for (const { id, asked } of taken) asked.resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { asked } of taken) asked.reject(error);
    } finally {
      running -= 1;
      if (waiting.length > 0) void run();
    }
  }

  return (id) =>
    new Promise((resolve, reject) => {
      waiting.push({ id, asked: { resolve, reject } });
      if (running < MOST_QUERIES) void run();
    });
}
