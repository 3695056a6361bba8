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

/** Creates the hub of this process. */
export function createEventHub(deps: HubDeps): EventHub {
  return new Hub(deps);
}

/**
 * While it has listeners, it reads the new rows of all streams in one query every 100 ms, and hands each row to the
 * listeners that it concerns.
 */
class Hub implements EventHub {
  readonly #deps: HubDeps;
  readonly #accounts = new Map<string, Set<EventListener>>();
  readonly #ofMarket = new Set<EventListener>();
  readonly #places = new Map<string, number>();
  #count = 0;
  #position = 0;
  /** A run of the loop ends when another generation begins. */
  #generation = 0;
  #isStopping = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  join(listener: EventListener): boolean {
    if (this.#isStopping) {
      listener.end();
      return true;
    }
    if (this.#count === 0) {
      this.#position = listener.seq;
      this.#generation += 1;
      void this.#run(this.#generation);
    } else if (listener.seq < this.#position) return false;
    this.#count += 1;
    const same = this.#accounts.get(listener.account) ?? new Set();
    this.#accounts.set(listener.account, same.add(listener));
    if (listener.market) this.#ofMarket.add(listener);
    return true;
  }

  leave(listener: EventListener): void {
    const same = this.#accounts.get(listener.account);
    if (!same?.delete(listener)) return;
    if (same.size === 0) this.#accounts.delete(listener.account);
    this.#ofMarket.delete(listener);
    this.#count -= 1;
    if (this.#count === 0) this.#generation += 1;
  }

  takePlace(name: string, most: number): (() => void) | null {
    const places = this.#places;
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
  }

  stop(): void {
    this.#isStopping = true;
    this.#generation += 1;
    const all = [...this.#accounts.values()].flatMap((same) => [...same]);
    for (const listener of all) listener.end();
  }

  async #run(generation: number): Promise<void> {
    let pauseMs = TICK_MS;
    while (generation === this.#generation) {
      try {
        const rows = await rowsAfter(this.#deps.reads, this.#position, ROWS_AT_ONCE);
        // The last listener left meanwhile, and another one may have begun elsewhere.
        if (generation !== this.#generation) return;
        for (const row of rows) this.#dispatch(row);
        this.#position = rows.at(-1)?.seq ?? this.#position;
        pauseMs = rows.length < ROWS_AT_ONCE ? TICK_MS : 0;
      } catch (error) {
        // The listeners stay, and miss nothing: the next query starts at the same position.
        const isFirst = pauseMs <= TICK_MS;
        if (isFirst) this.#deps.log.warn({ err: error }, 'new events could not be read; the service retries');
        pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(TICK_MS, pauseMs) * 2);
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  }

  #dispatch(row: LiveEvent): void {
    let encoded: Buffer | null = null;
    const frame = () => (encoded ??= Buffer.from(eventFrame(row)));
    const isMarket = row.stream === MARKET.all || row.stream === MARKET.elite || row.stream === MARKET.others;
    for (const listener of isMarket ? this.#ofMarket : (this.#accounts.get(row.stream) ?? []))
      if (row.seq > listener.seq) hand(row, listener, frame);
  }
}

function hand(row: LiveEvent, listener: EventListener, frame: () => Buffer): void {
  // The agent is elite from this event on.
  if (row.type === 'TIER.CHANGED' && isElite(row)) listener.eliteFrom = row.seq;
  if (row.type === 'KEY.REVOKED' && isEnded(row, listener.keyId)) return listener.end();
  if (!takesRow(listener.eliteFrom, row) || listener.types?.has(row.type) === false) return;
  listener.take(row, frame);
  // The specification leaves a suspended agent its profile alone.
  if (row.type === 'STATUS.CHANGED' && isSuspension(row)) listener.end();
}

function isElite({ data }: LiveEvent): boolean {
  return (JSON.parse(data) as { tier?: unknown }).tier === 'elite';
}

/** Returns whether the row says that this key has ended. A replaced key may end later. */
function isEnded({ data, occurredAt }: LiveEvent, keyId: string | null): boolean {
  const { key_id, ends_at } = JSON.parse(data) as { key_id: string; ends_at: string };
  return key_id === keyId && new Date(ends_at) <= occurredAt;
}

function isSuspension({ data }: LiveEvent): boolean {
  return (JSON.parse(data) as { status?: unknown }).status === 'suspended';
}
