/** One turn of the event loop. */
export type Turn = {
  /** Calls `write` at the end of the turn, together with the other writes. Calls it at once if the turn is over. */
  atEnd(write: () => void): void;
};

/**
 * Returns a function that gives the current turn.
 *
 * Answers from memory are written together at the end of a turn, so the reader's process wakes up once for all of them. This
 * costs a quarter less than separate writes (docs/benchmarks.md, cached search).
 */
export function createTurns(): () => Turn {
  let current: Turn | null = null;
  return () => {
    if (current) return current;
    let waiting: (() => void)[] | null = [];
    const turn: Turn = {
      atEnd(write) {
        if (waiting) waiting.push(write);
        else write();
      },
    };
    setImmediate(() => {
      const writes = waiting ?? [];
      waiting = null;
      current = null;
      for (const write of writes) write();
    });
    current = turn;
    return turn;
  };
}
