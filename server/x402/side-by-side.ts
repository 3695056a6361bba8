/** Runs at most `most` pieces of work side by side. The others wait in their order. */
export function sideBySide(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // Hand the turn to the next waiting call, so that no new call takes it first.
      if (next) next();
      else running -= 1;
    }
  };
}
