/** One row of the event log, as this process read it for all its listeners. `data` is JSON text. */
export type LiveEvent = {
  seq: number;
  id: string;
  stream: string;
  type: string;
  occurredAt: Date;
  data: string;
  /** The number of the row for elite agents; null outside of early access. */
  eliteSeq: number | null;
};

/** A reader that waits for new events in this process. */
export type EventListener = {
  /** The reader's own stream. */
  readonly account: string;
  /** The key of the agent or the poster: the listener ends with it. */
  readonly keyId: string | null;
  /** The session, and the operator, of the reader: the listener ends with each of them. */
  readonly endsWith: readonly string[];
  /** Whether it takes the streams of the market. */
  readonly market: boolean;
  /** Null: all types. */
  readonly types: ReadonlySet<string> | null;
  /** The number up to which it has seen everything. */
  seq: number;
  /** From which number on it gets the market's rows for elite agents; see events/market-class.ts. */
  eliteFrom: number | null;
  /** Takes an event. `frame` encodes it once for all listeners. It must not throw. */
  take(event: LiveEvent, frame: () => Buffer): void;
  /** The process ends, or the events of this reader cannot be read any more. */
  end(): void;
};

/** The events that a reader gets after a number. They are complete up to the number `seq`. */
export type RecentEvents = { events: LiveEvent[]; seq: number; eliteFrom: number | null };

/** Reads new events once for all listeners of this process. */
export type EventHub = {
  /** Returns false if the hub has read further than the listener, which then has to read more pages first. */
  join(listener: EventListener): boolean;
  leave(listener: EventListener): void;
  /**
   * Returns from memory what a reader gets after a number. Null if the log has to be read: the number is older or newer
   * than what the hub has, or the reader has not listened lately.
   */
  recent(reader: Pick<EventListener, 'account' | 'market' | 'types'>, after: number): RecentEvents | null;
  /** The number up to which every joined listener has been handed everything. */
  readonly position: number;
  /** Counts an open reader of a key until the result is called, once; null if the key has too many. */
  countReader(name: string): (() => void) | null;
  /** True from the start of the shutdown on. */
  readonly isStopping: boolean;
  /** Ends every listener. Later ones end at once. */
  stop(): void;
};
