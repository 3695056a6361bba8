import type { ErrorCode } from '../../../contract/basics/errors.ts';
import {
  type CountedState,
  LimitExceeded,
  type LimitKey,
  type Limits,
  type LimitState,
  type LimitTable,
  requireLeft,
  type Reservation,
  type ReservationResult,
  limitStateOf,
} from './limits.ts';
import type { Clock } from '../../ports/clock.ts';

type Window = { taken: number; endsAt: number };

// Expired windows are removed each time this many have been opened.
const SWEEP_AFTER = 1_000;

/** Counts in this process's memory, by its own clock. */
export function createMemoryLimits(table: LimitTable, clock: Clock): MemoryLimits {
  const windows = Object.fromEntries(Object.keys(table).map((name) => [name, new Map()])) as Record<
    LimitKey,
    Map<string, Window>
  >;
  const reservations = createReservations((key) => void count('failedPayments', key, clock.now().getTime()));
  let opened = 0;

  function running(name: LimitKey, key: string, now: number): Window | undefined {
    const window = windows[name].get(key);
    return window && now < window.endsAt ? window : undefined;
  }

  function open(name: LimitKey, key: string, now: number): Window {
    opened += 1;
    if (opened % SWEEP_AFTER === 0) Object.values(windows).forEach((ofOne) => removeExpired(ofOne, now));
    const window = { taken: 0, endsAt: now + table[name].seconds * 1000 };
    windows[name].set(key, window);
    return window;
  }

  function count(name: LimitKey, key: string, now: number): Window {
    const window = running(name, key, now) ?? open(name, key, now);
    window.taken += 1;
    return window;
  }

  function stateNow(name: LimitKey, key: string, now: number): CountedState {
    const { taken, endsAt } = running(name, key, now) ?? { taken: 0, endsAt: now + table[name].seconds * 1000 };
    return limitStateOf(table, name, taken, endsAt - now, endsAt);
  }

  function take(names: readonly LimitKey[], key: string, code: ErrorCode, states: LimitState[]): void {
    const now = clock.now().getTime();
    for (const name of names) {
      const { taken, endsAt } = count(name, key, now);
      const state = limitStateOf(table, name, taken, endsAt - now, endsAt);
      requireLeft(table, code, taken, state);
      states.push(state);
    }
  }

  return {
    take,
    peek(names, key, states) {
      const now = clock.now().getTime();
      for (const name of names) states.push(stateNow(name, key, now));
    },
    takePaid(names, key, code, states, presented) {
      take(names, key, code, states);
      const failed = stateNow('failedPayments', key, clock.now().getTime());
      if (presented && failed.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, failed);
      states.push(presented ? failed : { ...failed, shownOnly: true });
      if (!presented) return null;
      return reservations.heldBy(key) < failed.remaining ? reservations.hold(key) : 'busy';
    },
    close() {},
  };
}

/** `Limits` of one process; no method returns a promise. */
export type MemoryLimits = {
  take(...given: Parameters<Limits['take']>): void;
  peek(...given: Parameters<Limits['peek']>): void;
  takePaid(...given: Parameters<Limits['takePaid']>): ReservationResult;
  close(): void;
};

/** Counts the open payments of each caller. */
function createReservations(countFailed: (key: string) => void) {
  const held = new Map<string, number>();
  return {
    heldBy: (key: string) => held.get(key) ?? 0,
    hold(key: string): Reservation {
      held.set(key, (held.get(key) ?? 0) + 1);
      let ended = false;
      return {
        end(failed) {
          if (ended) return;
          ended = true;
          const left = (held.get(key) ?? 1) - 1;
          if (left > 0) held.set(key, left);
          else held.delete(key);
          if (failed) countFailed(key);
        },
      };
    },
  };
}

function removeExpired(windows: Map<string, Window>, now: number): void {
  for (const [key, { endsAt }] of windows) if (now >= endsAt) windows.delete(key);
}
