import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { EventHub, EventListener, LiveEvent } from '../ports/events.ts';
import { eventFrame } from './event-json.ts';
import { takesRow } from './market-class.ts';
import { rowsAfter } from './queries.ts';
import { MARKET } from './streams.ts';

const TICK_MS = 100;
const ROWS_AT_ONCE = 500;
const LONGEST_PAUSE_MS = 2_000;

type HubDeps = Pick<Deps, 'reads' | 'log'>;

/**
 * Creates the hub of this process. While it has listeners, it reads the new rows of all streams in one query every 100 ms,
 * and hands each row to the listeners that it concerns.
 */
export function createEventHub(deps: HubDeps): EventHub {
  const accounts = new Map<string, Set<EventListener>>();
  const ofMarket = new Set<EventListener>();
  const places = new Map<string, number>();
  let count = 0;
  let position = 0;
  // A run of the loop ends when another generation begins.
  let generation = 0;
  let isStopping = false;

  function* listenersOf(stream: string): Iterable<EventListener> {
    const isMarket = stream === MARKET.all || stream === MARKET.elite || stream === MARKET.others;
    yield* isMarket ? ofMarket : (accounts.get(stream) ?? []);
  }

  function dispatch(row: LiveEvent): void {
    let encoded: Buffer | null = null;
    const frame = () => (encoded ??= Buffer.from(eventFrame(row)));
    for (const listener of listenersOf(row.stream)) {
      if (row.seq <= listener.seq) continue;
      // The agent is elite from this event on.
      if (row.type === 'TIER.CHANGED' && isElite(row)) listener.eliteFrom = row.seq;
      if (row.type === 'KEY.REVOKED' && isEnded(row, listener.keyId)) {
        listener.end();
        continue;
      }
      if (!takesRow(listener.eliteFrom, row) || listener.types?.has(row.type) === false) continue;
      listener.take(row, frame);
    }
  }

  async function run(own: number): Promise<void> {
    let pauseMs = TICK_MS;
    while (own === generation) {
      try {
        const rows = await rowsAfter(deps.reads, position, ROWS_AT_ONCE);
        if (own !== generation) return;
        for (const row of rows) dispatch(row);
        position = rows.at(-1)?.seq ?? position;
        pauseMs = rows.length < ROWS_AT_ONCE ? TICK_MS : 0;
      } catch (error) {
        // The listeners stay, and miss nothing: the next query starts at the same position.
        if (pauseMs <= TICK_MS) deps.log.warn({ err: error }, 'new events could not be read; the service retries');
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(TICK_MS, pauseMs * 2));
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  }

  return {
    get isStopping() {
      return isStopping;
    },
    join(listener) {
      if (isStopping) {
        listener.end();
        return true;
      }
      if (count === 0) {
        position = listener.seq;
        generation += 1;
        void run(generation);
      } else if (listener.seq < position) return false;
      count += 1;
      const same = accounts.get(listener.account) ?? new Set();
      accounts.set(listener.account, same.add(listener));
      if (listener.market) ofMarket.add(listener);
      return true;
    },
    leave(listener) {
      const same = accounts.get(listener.account);
      if (!same?.delete(listener)) return;
      if (same.size === 0) accounts.delete(listener.account);
      ofMarket.delete(listener);
      count -= 1;
      if (count === 0) generation += 1;
    },
    takePlace(name, most) {
      const taken = places.get(name) ?? 0;
      if (taken >= most) return null;
      places.set(name, taken + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (places.get(name) ?? 1) - 1;
        if (left === 0) places.delete(name);
        else places.set(name, left);
      };
    },
    stop() {
      isStopping = true;
      generation += 1;
      const all = [...accounts.values()].flatMap((same) => [...same]);
      for (const listener of all) listener.end();
    },
  };
}

function isElite({ data }: LiveEvent): boolean {
  return (JSON.parse(data) as { tier?: unknown }).tier === 'elite';
}

/** Returns whether the row says that this key has ended. A replaced key may end later. */
function isEnded({ data, occurredAt }: LiveEvent, keyId: string | null): boolean {
  const { key_id, ends_at } = JSON.parse(data) as { key_id: string; ends_at: string };
  return key_id === keyId && new Date(ends_at) <= occurredAt;
}
