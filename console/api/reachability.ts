import { useSyncExternalStore } from 'react';

// Tracks whether the service is reachable. A short failure is ignored: only 2 seconds without a response count.

const PATIENCE_MS = 2_000;
const PROBE_MS = 5_000;

let answers = true;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (answers === next) return;
  answers = next;
  for (const listener of listeners) listener();
}

/** Call for every response, including error responses. */
export function noteResponse(): void {
  clearTimeout(timer);
  timer = undefined;
  set(true);
}

/** Call when a request got no response. */
export function noteNoResponse(): void {
  timer ??= setTimeout(() => {
    set(false);
    void probe();
  }, PATIENCE_MS);
}

/** Pages without automatic refetches need this probe to notice that the service is back. */
async function probe(): Promise<void> {
  if (answers) return;
  // Without a network, the browser's `online` event reports the return, so skip the request.
  const isBack = navigator.onLine && (await fetch('/healthz').catch(() => null)) !== null;
  if (isBack) noteResponse();
  else setTimeout(() => void probe(), PROBE_MS);
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => answers,
  );
}
