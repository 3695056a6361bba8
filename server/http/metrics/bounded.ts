import { setTimeout as sleep } from 'node:timers/promises';

/** The longest time that one part may take. Prometheus waits 10 s by default, and after that shows nothing at all. */
const READ_MS = 3_000;

/** Reads a part within 3 s. @throws Error after that */
export async function bounded<T>(read: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = sleep(READ_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${READ_MS} ms`);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    late.catch(() => {});
    over.abort();
  }
}
