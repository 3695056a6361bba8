import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../db/public.ts';
import { LEASE_MS } from './fan-out-part.ts';
import type { Attempt } from './outcome-queries.ts';
import { afterAttempt, attemptNumber } from './retry-schedule.ts';
import type { SenderParts } from './shared-parts.ts';
import {
  type ClaimedRetry,
  claimRetries,
  type Endpoint,
  readEndpoints,
  readEvents,
  type RetryLane,
} from './sender-queries.ts';
import type { Settled } from './outcome-writer.ts';
import { type SignableEvent, signableEvent } from './signature.ts';

// Who waits for a network that is full, or an endpoint that is busy, gives its place back in time for the lease to hold.
const LONGEST_WAIT_MS = 10_000;
const COME_BACK_MS = 1_000;
const REMEMBERED_EVENTS = 64;

export type RetryLanes = {
  /** Sends what is due in a lane until nothing is. */
  run(lane: RetryLane): Promise<void>;
  inFlight(lane: RetryLane): number;
  /** Ends when everything that was claimed has its outcome. */
  drain(): Promise<void>;
};

/** The lanes of what comes again and of what is slow. Rows are claimed for a moment only, by as many as there is room for. */
export function createRetryLanes(parts: SenderParts, slots: number): RetryLanes {
  const { deps, stopping } = parts;
  const underWay: Record<RetryLane, Set<Promise<void>>> = { retry: new Set(), slow: new Set() };
  const eventOf = createEvents(parts);

  async function claim(lane: RetryLane, limit: number): Promise<{ token: string; rows: ClaimedRetry[] }> {
    const now = deps.clock.now();
    const token = deps.newId();
    const lease = { token, now, until: new Date(now.getTime() + LEASE_MS) };
    const rows = await withTransaction(deps.db, (tx) =>
      claimRetries(tx, lease, { lane, limit, busy: [...parts.busy] }),
    );
    return { token, rows };
  }

  async function sendOne(row: ClaimedRetry, token: string, endpoint: Endpoint | undefined): Promise<void> {
    try {
      parts.settler.add(await send(parts, { ...row, token }, endpoint, eventOf));
    } catch (error) {
      const { eventId, webhookId } = row;
      deps.log.error({ err: error, eventId, webhookId }, 'a webhook was not sent; it is when its lease is over');
    }
  }

  return {
    inFlight: (lane) => underWay[lane].size,
    async run(lane) {
      const going = underWay[lane];
      while (!stopping.aborted) {
        // A quarter of the places at least: one statement for each that becomes free would cost more than the sending.
        if (going.size > 0 && slots - going.size < slots / 4) {
          await Promise.race(going);
          continue;
        }
        const { token, rows } = await claim(lane, slots - going.size);
        if (rows.length === 0) return;
        const endpoints = await endpointsOf(parts, rows);
        for (const row of rows) {
          const sending: Promise<void> = sendOne(row, token, endpoints.get(row.webhookId)).finally(() =>
            going.delete(sending),
          );
          going.add(sending);
        }
      }
    },
    async drain() {
      await Promise.all([...underWay.retry, ...underWay.slow]);
    },
  };
}

type EventOf = (id: string) => Promise<SignableEvent>;

async function send(
  parts: SenderParts,
  { token, retries, lane, day, eventId, webhookId }: ClaimedRetry & { token: string },
  endpoint: Endpoint | undefined,
  eventOf: EventOf,
): Promise<Settled> {
  const { clock } = parts.deps;
  const key = { day, eventId, webhookId, token };
  const unsent = { retries, lane, dueAt: null, deadAt: null, deliveredAt: null };
  // Deleted, disabled or suspended since: nothing is sent, and it can be replayed.
  if (!endpoint) return { retry: { ...key, ...unsent, deadAt: clock.now() }, attempts: [], seen: null };
  const made = await attempt(parts, retries, endpoint, await eventOf(eventId));
  const endedAt = clock.now();
  if (!made) {
    const dueAt = new Date(endedAt.getTime() + COME_BACK_MS);
    return { retry: { ...key, ...unsent, dueAt }, attempts: [], seen: null };
  }
  const { outcome } = made;
  const slow = endpoint.slow || outcome.failure === 'timeout';
  return {
    retry: { ...key, lane: slow ? 'slow' : 'retry', ...afterAttempt(retries, outcome, endedAt) },
    attempts: [made],
    seen: { endpoint, outcome },
  };
}

/** Of the last events: what is retried together is often of one. */
function createEvents({ deps: { db } }: SenderParts): EventOf {
  const remembered = new Map<string, Promise<SignableEvent>>();
  const readOne = async (id: string) => {
    const [event] = await readEvents(db, [id]);
    if (!event) throw new Error(`there is no event ${id}`);
    return signableEvent(event);
  };
  return (id) => {
    const known = remembered.get(id);
    if (known) return known;
    const asked = readOne(id);
    remembered.set(id, asked);
    asked.catch(() => remembered.delete(id));
    const [oldest] = remembered.keys();
    if (remembered.size > REMEMBERED_EVENTS && oldest !== undefined) remembered.delete(oldest);
    return asked;
  };
}

async function endpointsOf({ deps }: SenderParts, rows: ClaimedRetry[]): Promise<Map<string, Endpoint>> {
  const ids = rows.map(({ webhookId }) => webhookId);
  return new Map((await readEndpoints(deps.db, ids, deps.clock.now())).map((endpoint) => [endpoint.id, endpoint]));
}

/** Null when its endpoint or its network had no room for it in time. */
async function attempt(
  { attempts, busy }: SenderParts,
  retries: number,
  endpoint: Endpoint,
  event: SignableEvent,
): Promise<Attempt | null> {
  if (busy.has(endpoint.id)) return null;
  busy.add(endpoint.id);
  const waiting = new AbortController();
  try {
    const going = attempts.begin(endpoint, event, attemptNumber(retries));
    void sleep(LONGEST_WAIT_MS, undefined, { signal: waiting.signal }).then(going.giveUp, () => {});
    return await going.done;
  } finally {
    waiting.abort();
    busy.delete(endpoint.id);
  }
}
