const TURN_MS = 250;

/**
 * Settles with `work`, or rejects after `turns` turns of a timer, of 250 ms each. While the process is too busy to read an
 * answer, no turn passes.
 */
export async function inTurns<T>(work: PromiseLike<T>, turns: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let passed = 0;
  const timer = setInterval(() => (passed += 1) === turns && reject(new Error('no answer in time')), TURN_MS);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearInterval(timer);
  }
}
