import { serverAheadMs } from './client.ts';
import { createStore } from './store.ts';

const TICK_MS = 1_000;

const nowMs = () => Math.floor((Date.now() + serverAheadMs()) / TICK_MS) * TICK_MS;
const now = createStore(nowMs());
setInterval(() => now.set(nowMs()), TICK_MS);

/** Returns the service's time in milliseconds, rounded down to a second. All countdowns share one timer. */
export const useNow = now.use;
