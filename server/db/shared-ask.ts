/**
 * Returns a function that runs `ask`, one run at a time. Callers during a run share the next one, so each gets an answer to
 * a question that was asked after its call.
 */
export function sharedAsk<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const run = ask().finally(() => {
      if (running === run) running = null;
    });
    running = run;
    return run;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  };
}
