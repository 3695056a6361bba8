/** Where a settlement that is made ready waits until it is wanted. */
export type BroadcastGate = {
  /** Resolves when a settlement has come as far as its broadcast. */
  reached: Promise<void>;
  /** Called before every broadcast; waits for `open`, and throws when that did not come in time. */
  pass(): Promise<void>;
  /** False when it is closed by now, for ever. */
  open(): boolean;
};

/** Closes by itself: whoever is not wanted within `waitMs` of reaching it is never let through. */
export function createBroadcastGate(waitMs: number): BroadcastGate {
  const reached = Promise.withResolvers<void>();
  const passage = Promise.withResolvers<void>();
  let state: 'waiting' | 'open' | 'closed' = 'waiting';
  let timer: NodeJS.Timeout | undefined;
  passage.promise.catch(() => {});
  const close = () => {
    state = 'closed';
    passage.reject(new Error('the settlement was made ready, and not wanted in time'));
  };
  return {
    reached: reached.promise,
    pass() {
      if (state === 'waiting') timer ??= setTimeout(close, waitMs).unref();
      reached.resolve();
      return passage.promise;
    },
    open() {
      if (state === 'closed') return false;
      state = 'open';
      clearTimeout(timer);
      passage.resolve();
      return true;
    },
  };
}
