import type { Logger } from 'pino';

/**
 * Removes stored things, and returns those that are gone. One that cannot be removed is logged and stops no other.
 *
 * @throws what removing them threw, when none is gone: the store does not answer
 */
export async function removeEach<T>(
  { log }: { log: Pick<Logger, 'warn'> },
  each: T[],
  remove: (one: T) => Promise<void>,
): Promise<T[]> {
  const outcomes = await Promise.allSettled(each.map(remove));
  const gone = each.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure && gone.length === 0) throw failure.reason;
  if (failure) log.warn({ err: failure.reason }, 'a stored object could not be removed');
  return gone;
}
