import type { Deps } from '../../deps.ts';
import { type ClaimedFanOut, type Endpoint, readSubscriptions } from './sender-queries.ts';

/** Small enough not to delay other statements. */
const PAGE = 200;
/** Reads the next page while the last rows of this one are being sent. */
const READ_AHEAD = 150;
/** After this time, rows are read again: an agent may have been suspended or may have changed its URL. */
const FRESH_MS = 1_000;

/** `busy`: another process has a delivery to the endpoint in flight. */
export type Subscription = Endpoint & { busy: boolean };

/** Reads the subscriptions of one shard of a fan-out in the order of their ids, a page ahead of the sending. */
export class SubscriptionReader {
  readonly #deps: Pick<Deps, 'db' | 'clock'>;
  readonly #claim: ClaimedFanOut;
  /** Rows that were read and not taken. */
  #rows: Subscription[] = [];
  #readAt = 0;
  #readTo: string | null;
  #takenTo: string | null;
  #isAtEnd = false;
  #reading: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'db' | 'clock'>, claim: ClaimedFanOut) {
    this.#deps = deps;
    this.#claim = claim;
    this.#readTo = claim.after;
    this.#takenTo = claim.after;
  }

  /** Whether every subscription of the shard was taken. */
  get isExhausted(): boolean {
    return this.#isAtEnd && this.#rows.length === 0;
  }

  /** Takes the next subscription that was read. */
  take(): Subscription | undefined {
    const row = this.#rows.shift();
    if (row) this.#takenTo = row.id;
    return row;
  }

  /** Drops rows that are too old to be sent to. */
  dropStale(): void {
    const isFresh = this.#deps.clock.now().getTime() - this.#readAt <= FRESH_MS;
    if (this.#reading || this.#rows.length === 0 || isFresh) return;
    this.#rows = [];
    this.#readTo = this.#takenTo;
    this.#isAtEnd = false;
  }

  /** Starts to read the next page when few rows are left. Returns null when there is no need. */
  readAhead(): Promise<void> | null {
    if (this.#isAtEnd || this.#reading || this.#rows.length > READ_AHEAD) return null;
    this.#reading = this.#readPage().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readPage(): Promise<void> {
    const { eventId, shard } = this.#claim;
    const now = this.#deps.clock.now();
    const page = { eventId, shard, after: this.#readTo, limit: PAGE, now };
    const rows = await readSubscriptions(this.#deps.db, page);
    if (this.#rows.length === 0) this.#readAt = now.getTime();
    this.#rows.push(...rows);
    this.#readTo = rows.at(-1)?.id ?? this.#readTo;
    this.#isAtEnd = rows.length < PAGE;
  }
}
