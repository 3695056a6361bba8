import { useSyncExternalStore } from 'react';
import { serverAheadMs } from './client.ts';

const TICK_MS = 1_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = Math.floor(Date.now() / TICK_MS) * TICK_MS;

function tick(): void {
  nowMs = Math.floor((Date.now() + serverAheadMs()) / TICK_MS) * TICK_MS;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the service's time in milliseconds, rounded down to a second. All countdowns share one timer. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}
