/** Where a prepared settlement waits before its broadcast, until the caller asks for it. */
export type BroadcastGate = {
  /** Resolves when the settlement reaches its broadcast. */
  reached: Promise<void>;
  /** Called before every broadcast. Waits for `open`; throws when the gate closes first. */
  pass(): Promise<void>;
  /** Lets the broadcast through. False when the gate has closed: it stays closed. */
  open(): boolean;
};

/** The gate closes by itself `waitMs` after the settlement reached it. A closed gate lets no broadcast through. */
export function createBroadcastGate(waitMs: number): BroadcastGate {
  const reached = Promise.withResolvers<void>();
  const passage = Promise.withResolvers<void>();
  let state: 'waiting' | 'open' | 'closed' = 'waiting';
  let timer: NodeJS.Timeout | undefined;
  passage.promise.catch(() => {});
  const close = () => {
    state = 'closed';
    passage.reject(new Error('the prepared settlement was not asked for in time'));
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
