import { createStore } from './store.ts';

// Tracks whether the service is reachable. A short failure is ignored: only 2 seconds without a response count.

const PATIENCE_MS = 2_000;
const PROBE_MS = 5_000;

const answers = createStore(true);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Call for every response, including error responses. */
export function noteResponse(): void {
  clearTimeout(timer);
  timer = undefined;
  answers.set(true);
}

/** Call when a request got no response. */
export function noteNoResponse(): void {
  timer ??= setTimeout(() => {
    answers.set(false);
    void probe();
  }, PATIENCE_MS);
}

/** Pages without automatic refetches need this probe to notice that the service is back. */
async function probe(): Promise<void> {
  if (answers.get()) return;
  // Without a network, the browser's `online` event reports the return, so skip the request.
  const isBack = navigator.onLine && (await fetch('/healthz').catch(() => null)) !== null;
  if (isBack) noteResponse();
  else setTimeout(() => void probe(), PROBE_MS);
}

/** Whether the service answers. */
export const useIsReachable = answers.use;
