import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import type { EventHub, EventListener, LiveEvent, RecentEvents } from './types.ts';
import { createPlaces } from '../turns.ts';
import { eventFrame } from './event-json.ts';
import { takesRow } from './market-class.ts';
import { MOST_OPEN } from './open-readers.ts';
import { rowsAfter } from './queries.ts';
import { accountOfEnded, MARKET } from './streams.ts';

const TICK_MS = 100;
const ROWS_AT_ONCE = 500;
const LONGEST_PAUSE_MS = 2_000;
/** Requests that wait end with an event and come back. Meanwhile the hub goes on, so that they need no query. */
const LINGER_MS = 2_000;
const MOST_RECENT = 1_000;
const MOST_KNOWN = 20_000;

type HubDeps = Pick<Deps, 'db' | 'log'>;

/** Creates the hub of this process. */
export function createEventHub(deps: HubDeps): EventHub {
  return new Hub(deps);
}

/**
 * While it has listeners, and shortly after, it reads the new rows of all streams in one query every 100 ms, and hands
 * each row to the listeners that it concerns.
 */
class Hub implements EventHub {
  readonly #deps: HubDeps;
  readonly #accounts = new Map<string, Set<EventListener>>();
  readonly #ofMarket = new Set<EventListener>();
  readonly countReader = createPlaces(MOST_OPEN);
  #count = 0;
  #position = 0;
  /** The rows after `#recentFrom`, up to the position. */
  #recent: LiveEvent[] = [];
  #recentFrom = 0;
  /** `eliteFrom` of the readers that listened lately, by account, as of the position. The oldest first. */
  readonly #classes = new Map<string, number | null>();
  #emptySince = 0;
  #isRunning = false;
  /** A run of the loop ends when another generation begins. */
  #generation = 0;
  #isStopping = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get position(): number {
    return this.#position;
  }

  join(listener: EventListener): boolean {
    if (this.#isStopping) {
      listener.end();
      return true;
    }
    if (!this.#isRunning) this.#start(listener.seq);
    else if (listener.seq < this.#position) return false;
    this.#count += 1;
    this.#know(listener);
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
    if (this.#count === 0) this.#emptySince = performance.now();
  }

  recent({ account, market, types }: Parameters<EventHub['recent']>[0], after: number): RecentEvents | null {
    const eliteFrom = this.#classes.get(account);
    const seq = this.#position;
    if (!this.#isRunning || this.#isStopping || eliteFrom === undefined) return null;
    if (after < this.#recentFrom || after > seq) return null;
    const first = this.#recent.findLastIndex((row) => row.seq <= after) + 1;
    const events = this.#recent
      .slice(first)
      .filter(
        (row) =>
          (isOfMarket(row) ? market && takesRow(eliteFrom, row) : row.stream === account) &&
          types?.has(row.type) !== false,
      );
    return { events, seq, eliteFrom };
  }

  #start(seq: number): void {
    this.#position = seq;
    this.#recent = [];
    this.#recentFrom = seq;
    this.#classes.clear();
    this.#emptySince = performance.now();
    this.#generation += 1;
    this.#isRunning = true;
    void this.#run(this.#generation);
  }

  #know({ account, eliteFrom }: EventListener): void {
    const classes = this.#classes;
    classes.delete(account);
    classes.set(account, eliteFrom);
    const [oldest] = classes.size > MOST_KNOWN ? classes.keys() : [];
    if (oldest !== undefined) classes.delete(oldest);
  }

  stop(): void {
    this.#isStopping = true;
    this.#isRunning = false;
    this.#generation += 1;
    const all = [...this.#accounts.values()].flatMap((same) => [...same]);
    for (const listener of all) listener.end();
  }

  async #run(generation: number): Promise<void> {
    let pauseMs = TICK_MS;
    while (generation === this.#generation) {
      if (this.#count === 0 && performance.now() - this.#emptySince > LINGER_MS) {
        this.#isRunning = false;
        return;
      }
      try {
        const rows = await rowsAfter(this.#deps.db, this.#position, ROWS_AT_ONCE);
        // The hub stopped meanwhile.
        if (generation !== this.#generation) return;
        for (const row of rows) this.#dispatch(row);
        this.#position = rows.at(-1)?.seq ?? this.#position;
        this.#keep(rows);
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

  #keep(rows: LiveEvent[]): void {
    if (rows.length === 0) return;
    this.#recent.push(...rows);
    const dropped = this.#recent.splice(0, Math.max(0, this.#recent.length - MOST_RECENT)).at(-1);
    if (dropped) this.#recentFrom = dropped.seq;
  }

  #dispatch(row: LiveEvent): void {
    if (row.type === 'RIGHT.ENDED') return this.#end(row);
    let encoded: Buffer | null = null;
    const frame = () => (encoded ??= Buffer.from(eventFrame(row)));
    if (row.type === 'TIER.CHANGED' && isElite(row) && this.#classes.has(row.stream))
      this.#classes.set(row.stream, row.seq);
    for (const listener of isOfMarket(row) ? this.#ofMarket : (this.#accounts.get(row.stream) ?? []))
      if (row.seq > listener.seq) hand(row, listener, frame);
  }

  #end({ stream, data }: LiveEvent): void {
    const { id } = JSON.parse(data) as { id: string };
    for (const listener of this.#accounts.get(accountOfEnded(stream)) ?? [])
      if (listener.endsWith.includes(id)) listener.end();
  }
}

function hand(row: LiveEvent, listener: EventListener, frame: () => Buffer): void {
  // The agent is elite from this event on.
  if (row.type === 'TIER.CHANGED' && isElite(row)) listener.eliteFrom = row.seq;
  if (row.type === 'KEY.REVOKED' && keyIn(row) === listener.keyId) return listener.end();
  if (takesRow(listener.eliteFrom, row) && listener.types?.has(row.type) !== false) listener.take(row, frame);
  // The specification leaves a suspended agent its profile alone.
  if (row.type === 'STATUS.CHANGED' && isSuspension(row)) listener.end();
}

function isOfMarket({ stream }: LiveEvent): boolean {
  return stream === MARKET.all || stream === MARKET.elite || stream === MARKET.others;
}

function isElite({ data }: LiveEvent): boolean {
  return (JSON.parse(data) as { tier?: unknown }).tier === 'elite';
}

function keyIn({ data }: LiveEvent): string {
  return (JSON.parse(data) as { key_id: string }).key_id;
}

function isSuspension({ data }: LiveEvent): boolean {
  return (JSON.parse(data) as { status?: unknown }).status === 'suspended';
}
