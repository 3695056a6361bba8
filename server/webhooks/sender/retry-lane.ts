import { withTransaction } from '../../db/public.ts';
import type { Db } from '../../ports/database.ts';
import { findEvents } from '../../events/public.ts';
import { eventFor, loggedEvent } from './event-body.ts';
import type { Attempt } from './outcome-queries.ts';
import type { RetryOutcome } from './outcome-writer.ts';
import {
  type ClaimedRetry,
  claimRetries,
  type Endpoint,
  type LaneName,
  LEASE_MS,
  readEnded,
  readEndpoints,
  readEvent,
} from './sender-queries.ts';
import type { SharedParts } from './shared-parts.ts';
import { ELITE_SHARD } from './shards.ts';
import { afterAttempt, attemptNumber, type SignableEvent } from '../delivery/public.ts';
import { TrialRequest } from '../trials/public.ts';

/** A delivery whose network is full gives its claim back after this time, well within the lease. */
const MAX_WAIT_MS = 10_000;
const COME_BACK_MS = 1_000;
const CACHED_EVENTS = 64;

type LeasedRetry = ClaimedRetry & { token: string };

/** Sends the deliveries of one lane of `webhook_retries`. It claims only as many rows as it has free slots. */
export class RetryLane {
  readonly #parts: SharedParts;
  readonly #name: LaneName;
  readonly #slots: number;
  readonly #events: EventCache;
  readonly #sending = new Set<Promise<void>>();

  constructor(parts: SharedParts, { name, slots, events }: { name: LaneName; slots: number; events: EventCache }) {
    this.#parts = parts;
    this.#name = name;
    this.#slots = slots;
    this.#events = events;
  }

  get inFlight(): number {
    return this.#sending.size;
  }

  /** Sends the deliveries that are due, until none is left. */
  async run(): Promise<void> {
    while (!this.#parts.stopping.aborted) {
      const free = this.#slots - this.#sending.size;
      // Claim for a quarter of the slots at least: one statement per free slot would cost more than the sending.
      if (this.#sending.size > 0 && free < this.#slots / 4) {
        await Promise.race(this.#sending);
        continue;
      }
      const retries = await this.#claim(free);
      if (retries.length === 0) return;
      const receivers = await this.#readReceivers(retries);
      for (const retry of retries) {
        const sending: Promise<void> = this.#send(retry, receivers.get(retry)).finally(() =>
          this.#sending.delete(sending),
        );
        this.#sending.add(sending);
      }
    }
  }

  /** Resolves when every claimed delivery has its outcome. */
  async drain(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #claim(limit: number): Promise<LeasedRetry[]> {
    const { deps, busy } = this.#parts;
    const now = deps.clock.now();
    const token = deps.newId();
    const lease = { token, now, until: new Date(now.getTime() + LEASE_MS) };
    const wanted = { lane: this.#name, limit, busy: [...busy] };
    const rows = await withTransaction(deps.db, (tx) => claimRetries(tx, lease, wanted));
    return rows.map((row) => ({ ...row, token }));
  }

  /** Returns the endpoint of each delivery that is still to be sent. */
  async #readReceivers(retries: LeasedRetry[]): Promise<Map<LeasedRetry, Endpoint>> {
    const { db, clock } = this.#parts.deps;
    const [endpoints, ended] = await Promise.all([
      readEndpoints(
        db,
        retries.map(({ webhookId }) => webhookId),
        clock.now(),
      ),
      readEnded(
        db,
        retries.filter(({ stream }) => stream === null).map(({ eventId }) => eventId),
      ),
    ]);
    const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
    const wanted = retries.filter(
      ({ eventId, stream, replayed }) => replayed || stream !== null || !ended.has(eventId),
    );
    return new Map(
      wanted.flatMap((retry) => {
        const endpoint = byId.get(retry.webhookId);
        return endpoint ? [[retry, endpoint] as const] : [];
      }),
    );
  }

  async #send(retry: LeasedRetry, endpoint: Endpoint | undefined): Promise<void> {
    const { outcomes, deps } = this.#parts;
    try {
      outcomes.add(await this.#outcomeOf(retry, endpoint));
    } catch (error) {
      const { eventId, webhookId } = retry;
      deps.log.error({ err: error, eventId, webhookId }, 'webhook not sent; will be retried when its lease expires');
    }
  }

  async #outcomeOf(retry: LeasedRetry, endpoint: Endpoint | undefined): Promise<RetryOutcome> {
    const { clock } = this.#parts.deps;
    const unsent = { ...retry, dueAt: null, deadAt: null, deliveredAt: null };
    // The project has ended, the webhook was deleted or disabled, its agent was suspended, or the log has forgotten the
    // event. The agent can replay the delivery while the event is known.
    const event = endpoint ? await this.#events.get(retry, endpoint.shard) : null;
    if (!endpoint || !event) return { retry: { ...unsent, deadAt: clock.now() }, attempts: [], observation: null };
    // The requests to a stranger's host are bounded over all processes until it accepts an event.
    const turn = endpoint.verified ? null : new TrialRequest(this.#parts.deps, endpoint);
    const attempt = await this.#attempt(retry, { endpoint, event, turn });
    const endedAt = clock.now();
    if (!attempt) {
      const dueAt = turn?.refusal?.until ?? new Date(endedAt.getTime() + COME_BACK_MS);
      return { retry: { ...unsent, dueAt }, attempts: [], observation: null };
    }
    const { outcome } = attempt;
    const lane = endpoint.slow || outcome.failure === 'timeout' ? 'slow' : 'retry';
    return {
      retry: { ...retry, lane, ...afterAttempt(retry.retries, outcome, endedAt) },
      attempts: [attempt],
      observation: { endpoint, outcome },
    };
  }

  /** Returns null when the endpoint or its network had no free slot in time, or the endpoint must not get a request yet. */
  async #attempt(
    { retries }: LeasedRetry,
    { endpoint, event, turn }: { endpoint: Endpoint; event: SignableEvent; turn: TrialRequest | null },
  ): Promise<Attempt | null> {
    const { attempts, busy } = this.#parts;
    if (busy.has(endpoint.id)) return null;
    busy.add(endpoint.id);
    const running = attempts.start(endpoint, event, attemptNumber(retries), turn);
    const waited = setTimeout(running.cancelWait, MAX_WAIT_MS);
    try {
      return await running.done;
    } finally {
      clearTimeout(waited);
      busy.delete(endpoint.id);
    }
  }
}

/** Keeps the last events, because deliveries that are retried together are often of one event. */
export class EventCache {
  readonly #db: Db;
  readonly #events = new Map<string, Promise<SignableEvent | null>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves with null when the event log does not hold the event any more. */
  get(
    { eventId: id, stream }: Pick<ClaimedRetry, 'eventId' | 'stream'>,
    shard: number | null,
  ): Promise<SignableEvent | null> {
    // Elite agents get another body than all others.
    const key = `${id} ${stream ?? shard === ELITE_SHARD}`;
    const cached = this.#events.get(key);
    if (cached) return cached;
    const event = stream === null ? this.#read(id, shard) : this.#readLogged(id, stream);
    this.#events.set(key, event);
    event.catch(() => this.#events.delete(key));
    const [oldest] = this.#events.keys();
    if (this.#events.size > CACHED_EVENTS && oldest !== undefined) this.#events.delete(oldest);
    return event;
  }

  async #readLogged(id: string, stream: string): Promise<SignableEvent | null> {
    const [event] = await findEvents(this.#db, [{ id, stream }]);
    return event ? loggedEvent(event) : null;
  }

  async #read(id: string, shard: number | null): Promise<SignableEvent> {
    const event = await readEvent(this.#db, id);
    if (!event) throw new Error(`event ${id} does not exist`);
    return eventFor(id, event, shard);
  }
}
