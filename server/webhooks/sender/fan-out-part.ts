import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../db/public.ts';
import { createBell } from './signal.ts';
import { type Flight, flightPutOff, startFlight } from './first-delivery.ts';
import { leftBehind, settledLater } from './outcome-rows.ts';
import { insertAttempts, insertRetries } from './outcome-queries.ts';
import type { SenderParts } from './shared-parts.ts';
import { advanceFanOut, type ClaimedFanOut, type Endpoint, readSubscriptions } from './sender-queries.ts';
import { PRO_SHARD } from './shards.ts';
import { type SignableEvent, signableEvent } from './signature.ts';

// Small enough to delay nobody else's statement.
const READ = 200;
/** The next ones are read while the last of these are sent. */
const READ_AHEAD = 150;
/** What was read is sent to for so long; then it is read again, as an agent may have been suspended or changed its URL. */
const FRESH_MS = 1_000;
/** Outcomes that are worth a transaction while more are on their way. */
const COMMIT = 120;
const RENEW_MS = 3_000;
const TRIES = 5;
/** How often it is looked who is overdue. */
const LOOK_MS = 25;

/** Of a part of a fan-out, renewed with every batch: so long it stands still when its process is killed. */
export const PART_LEASE_MS = 10_000;
/** Of a delivery that is claimed, or outlasts its batch: longer than its attempts can take. */
export const LEASE_MS = 30_000;

/** The lease went to somebody else, who goes on from the cursor. */
class LeaseLost extends Error {}

type FanOut = {
  parts: SenderParts;
  claimed: ClaimedFanOut;
  token: string;
  which: 'priority' | 'starters';
  event: SignableEvent;
  rows: (Endpoint & { busy: boolean })[];
  /** Where in `rows` it goes on. */
  next: number;
  readTo: string | null;
  readAll: boolean;
  /** When the oldest of `rows` was read. */
  readAt: number;
  startedTo: string | null;
  reading: Promise<void> | null;
  /** Started, and not written down yet, in the order of their keys. */
  window: Flight[];
  /** Of these, with an outcome. */
  ended: number;
  writtenTo: string | null;
  writtenAt: number;
  writing: Promise<void> | null;
  /** Told of a commit that records flights before they end. */
  recordings: Map<Flight, Promise<boolean>>;
  over: boolean;
  failure: unknown;
};

export type RunningFanOut = {
  /** Everything was started; what is left waits for answers. */
  started: Promise<void>;
  /** Everything is written, or given up to whoever claims it next. Neither rejects. */
  ended: Promise<void>;
};

/**
 * Sends one event along one part of the subscriptions, in the order of their keys. What was started and is not written yet
 * is a window that moves along: what lies at its beginning and has an outcome is written in one transaction with the
 * cursor. Who keeps it from moving, by taking longer than others do, is recorded there as a leased retry and followed
 * apart, so that nobody waits for an endpoint that does not answer.
 */
export function runFanOut(parts: SenderParts, claimed: ClaimedFanOut, token: string): RunningFanOut {
  let tellStarted: () => void = () => {};
  const started = new Promise<void>((resolve) => (tellStarted = resolve));
  const fanOut: FanOut = {
    parts,
    claimed,
    token,
    which: claimed.shard <= PRO_SHARD ? 'priority' : 'starters',
    event: signableEvent({ id: claimed.eventId, body: claimed.body }),
    rows: [],
    next: 0,
    readTo: claimed.after,
    readAll: false,
    readAt: 0,
    startedTo: claimed.after,
    reading: null,
    window: [],
    ended: 0,
    writtenTo: claimed.after,
    writtenAt: performance.now(),
    writing: null,
    recordings: new Map(),
    over: false,
    failure: null,
  };
  const ended = pump(fanOut, tellStarted);
  return { started, ended };
}

async function pump(fanOut: FanOut, tellStarted: () => void): Promise<void> {
  const { lane, deps } = fanOut.parts;
  const bell = createBell();
  lane.watchers.add(bell.ring);
  const look = setInterval(bell.ring, LOOK_MS);
  while (!fanOut.over && fanOut.failure === null) {
    startMore(fanOut, bell.ring);
    if (hasStarted(fanOut)) tellStarted();
    writeMore(fanOut, bell.ring);
    if (!fanOut.over && fanOut.failure === null) await bell.rung();
  }
  clearInterval(look);
  lane.watchers.delete(bell.ring);
  await Promise.all([fanOut.reading, fanOut.writing]);
  lane.uncommitted -= fanOut.window.length;
  lane.tell();
  tellStarted();
  if (fanOut.failure !== null) {
    const { eventId, shard } = fanOut.claimed;
    // Somebody else goes on with it then: nothing is wrong.
    const level = fanOut.failure instanceof LeaseLost ? 'warn' : 'error';
    deps.log[level](
      { err: fanOut.failure, eventId, shard },
      'a fan-out was given up; it goes on when its lease is over',
    );
  }
}

function hasStarted({ readAll, rows, next, parts }: FanOut): boolean {
  return (readAll && next === rows.length) || parts.stopping.aborted;
}

function startMore(fanOut: FanOut, ring: () => void): void {
  const { parts, event, window, which } = fanOut;
  const { lane, stopping } = parts;
  forgetStale(fanOut);
  const { rows } = fanOut;
  while (!stopping.aborted && lane.hasRoom(which)) {
    const row = rows[fanOut.next];
    if (!row) break;
    fanOut.next += 1;
    fanOut.startedTo = row.id;
    lane.uncommitted += 1;
    const later = row.slow || row.busy || parts.busy.has(row.id);
    if (later) fanOut.ended += 1;
    window.push(later ? flightPutOff(row) : startFlight(parts, row, event, (flight) => follow(fanOut, flight)));
  }
  if (!fanOut.readAll && !fanOut.reading && !stopping.aborted && rows.length - fanOut.next <= READ_AHEAD) {
    fanOut.reading = read(fanOut).finally(() => {
      fanOut.reading = null;
      ring();
    });
  }
}

function forgetStale(fanOut: FanOut): void {
  const { rows, next, reading, readAt, parts } = fanOut;
  if (reading || next === rows.length || parts.deps.clock.now().getTime() - readAt <= FRESH_MS) return;
  Object.assign(fanOut, { rows: [], next: 0, readTo: fanOut.startedTo, readAll: false });
}

async function read(fanOut: FanOut): Promise<void> {
  const { parts, claimed, readTo: after } = fanOut;
  const now = parts.deps.clock.now();
  try {
    const { eventId, shard } = claimed;
    const rows = await readSubscriptions(parts.deps.db, { eventId, shard, after, limit: READ, now });
    const left = fanOut.rows.slice(fanOut.next);
    if (left.length === 0) fanOut.readAt = now.getTime();
    fanOut.rows = [...left, ...rows];
    fanOut.next = 0;
    fanOut.readTo = rows.at(-1)?.id ?? after;
    fanOut.readAll = rows.length < READ;
  } catch (error) {
    fanOut.failure = error;
  }
}

/** The end of a flight: in the window still, or recorded before it came. */
function follow(fanOut: FanOut, flight: Flight): void {
  const { parts, claimed, token, recordings } = fanOut;
  const recorded = recordings.get(flight);
  if (!recorded) {
    fanOut.ended += 1;
    return;
  }
  recordings.delete(flight);
  const endedAt = flight.endedAt ?? parts.deps.clock.now();
  parts.track(
    recorded.then((written) => written && parts.settler.add(settledLater(flight, { claimed, token, endedAt }))),
  );
}

function writeMore(fanOut: FanOut, ring: () => void): void {
  if (fanOut.writing) return;
  const { window, parts } = fanOut;
  const allStarted = hasStarted(fanOut);
  const full = parts.lane.isFull();
  const renew = performance.now() - fanOut.writtenAt > RENEW_MS;
  // Asked at every delivery: the window is walked only where something may come of it.
  if (!allStarted && !full && !renew && fanOut.ended < COMMIT) return;
  const done = writable(fanOut, false);
  // Who is overdue is recorded only where nothing else can be written: each such row is written twice more.
  const count = done >= COMMIT ? done : writable(fanOut, allStarted || full);
  const last = allStarted && count === window.length;
  if (!last && !renew && !(full && count > 0) && count < COMMIT) return;
  fanOut.writing = write(fanOut, window.slice(0, count), last).finally(() => {
    fanOut.writing = null;
    parts.lane.tell();
    ring();
  });
}

/** How many at the beginning have an outcome, or, when it waits for nothing else, are overdue. */
function writable({ window, parts }: FanOut, waits: boolean): number {
  let count = 0;
  for (const { state, slot } of window) {
    if (state === 'going' && !(waits && slot !== null && parts.lane.isOverdue(slot))) break;
    count += 1;
  }
  return count;
}

async function write(fanOut: FanOut, flights: Flight[], last: boolean): Promise<void> {
  const { parts, window } = fanOut;
  let tellRecorded: (written: boolean) => void = () => {};
  const recorded = new Promise<boolean>((resolve) => (tellRecorded = resolve));
  for (const flight of flights) {
    if (flight.state !== 'going') continue;
    // Given up between the first attempt and its immediate retry, it is done with the first.
    const given = flight.attempts.length > 0 ? 'done' : 'put off';
    flight.state = flight.giveUp() ? given : 'recorded';
    if (flight.state === 'recorded') fanOut.recordings.set(flight, recorded);
  }
  try {
    await writeSurely(fanOut, flights, last);
    window.splice(0, flights.length);
    fanOut.ended = window.filter(({ state }) => state !== 'going').length;
    parts.lane.uncommitted -= flights.length;
    fanOut.writtenTo = flights.at(-1)?.endpoint.id ?? fanOut.writtenTo;
    fanOut.writtenAt = performance.now();
    fanOut.over = last;
    tellRecorded(true);
    await learn(parts, flights);
  } catch (error) {
    fanOut.failure = error;
    tellRecorded(false);
  }
}

async function writeSurely(fanOut: FanOut, flights: Flight[], last: boolean): Promise<void> {
  const { parts, claimed, token, writtenTo: from } = fanOut;
  const { db, clock, log } = parts.deps;
  const finished = last && fanOut.readAll && fanOut.next === fanOut.rows.length;
  for (let tries = 1; ; tries += 1) {
    const now = clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const step = {
      token,
      from,
      to: flights.at(-1)?.endpoint.id ?? from,
      attempted: flights.length,
      leaseUntil: last ? null : later(PART_LEASE_MS),
      doneAt: finished ? now : null,
    };
    const attempts = flights.flatMap((flight) => (flight.state === 'done' ? flight.attempts : []));
    const retries = flights.flatMap((flight) => leftBehind(flight, { token, now, leaseUntil: later(LEASE_MS) }) ?? []);
    try {
      return await withTransaction(db, async (tx) => {
        const [advanced] = await Promise.all([
          advanceFanOut(tx, claimed, step),
          insertAttempts(tx, attempts),
          insertRetries(tx, claimed, retries),
        ]);
        if (!advanced) throw new LeaseLost('another process has the lease of this part');
      });
    } catch (error) {
      if (error instanceof LeaseLost || tries === TRIES) throw error;
      log.warn({ err: error }, 'a batch of webhooks could not be written, and is tried again');
      await sleep(100 * 2 ** tries);
    }
  }
}

async function learn({ settler }: SenderParts, flights: Flight[]): Promise<void> {
  await settler.learn(
    flights.flatMap(({ endpoint, state, attempts }) => {
      const last = state === 'done' ? attempts.at(-1) : undefined;
      return last ? [{ endpoint, outcome: last.outcome }] : [];
    }),
  );
}
