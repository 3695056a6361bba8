import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { findEvents, type LoggedEvent } from '../events/public.ts';
import type { Tx } from '../db/database.ts';
import { disableEndpoint, recordHealth } from './change-endpoint.ts';
import { type Claimed, claimDeliveries, type Settled, settleDeliveries, startNext } from './delivery-queries.ts';
import { lockEndpoint } from './endpoint-queries.ts';
import { afterAttempt, FIRST_ATTEMPT, isGone } from './retry-schedule.ts';
import { openSecrets } from './secrets.ts';
import { sendEvent } from './send-event.ts';
import { countTrial } from './trials.ts';
import type { DeliveryOutcome } from './types.ts';

/** The deliveries in flight of a process. Half as many more are claimed, so that the next one starts when another ends. */
const POOL = 512;
/** A delivery that waited longer for its turn goes back: its lease must outlast an attempt, which can take 20 s. */
const MOST_WAIT_MS = 5_000;
const POLL_MS = 250;
const POLL_AFTER_ERROR_MS = 1_000;
const DISABLE_AFTER_MS = 120 * 3_600_000;
/** An endpoint that never succeeded starts its next event this long after the one before was given up. */
const TRIAL_PAUSE_MS = 3_600_000;
/** Deliveries that one transaction claims, or whose outcomes it writes. */
const BATCH = 200;

type SenderDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook'>;

/** What an attempt changes: its row, and the endpoint that it was sent to. Without an outcome, nothing was sent. */
type Written = { row: Settled; claim: Claimed; outcome: DeliveryOutcome | null };

type Waiting = { claim: Claimed; event: LoggedEvent | undefined; claimedAt: number };

/**
 * Sends the deliveries that are due. Any number of processes may do so: each claims rows by a lease, sends them outside of
 * any transaction, and finishes a row only while the lease is still its own.
 */
export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #pool: number;
  readonly #ahead: number;
  /** Claimed, and without a place in the pool. */
  readonly #waiting: Waiting[] = [];
  readonly #sending = new Set<Promise<void>>();
  /** The attempts since the start, by `delivered` or by failure. From the start, `delivered` shows that this process sends. */
  readonly attempts = new Map([['delivered', 0]]);
  readonly #unwritten: Written[] = [];
  #slowClaimed = 0;
  #writing: Promise<void> | null = null;
  #loop: Promise<void> | null = null;
  #stopped = false;
  #waking = new AbortController();
  #wakeLoop = () => {};

  /** @param pool the most deliveries in flight */
  constructor(deps: SenderDeps, pool = POOL) {
    this.#deps = deps;
    this.#pool = pool;
    this.#ahead = Math.ceil(pool / 2);
  }

  /** Looks now. Call it after the commit of what became due. */
  wake(): void {
    this.#waking.abort();
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Starts nothing more, and resolves when every delivery in flight has its outcome, and the others are given back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    this.#startWaiting();
    await this.#loop;
    await this.#idle();
  }

  /** Sends what is due now, at most `BATCH`. Returns false when nothing was due. */
  async runOnce(): Promise<boolean> {
    const started = await this.#startDue();
    await this.#idle();
    return started > 0;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      let pauseMs = POLL_MS;
      this.#waking = new AbortController();
      try {
        if ((await this.#startDue()) > 0) continue;
      } catch (error) {
        pauseMs = POLL_AFTER_ERROR_MS;
        this.#deps.log.error({ err: error }, 'webhooks that are due could not be read');
      }
      await sleep(pauseMs, undefined, { signal: this.#waking.signal }).catch(() => {});
    }
  }

  /** Claims what the process has room for, and starts it in turn. */
  async #startDue(): Promise<number> {
    // A slow database bounds what is sent.
    if (this.#unwritten.length >= this.#pool) await this.#writing;
    if (!this.#needsMore()) await new Promise<void>((resolve) => (this.#wakeLoop = resolve));
    if (this.#stopped) return 0;
    const free = this.#pool + this.#ahead - this.#sending.size - this.#waiting.length;
    const claims = await this.#claim(Math.min(BATCH, free));
    if (claims.length === 0) return 0;
    const wanted = claims.map(({ eventId: id, stream }) => ({ id, stream }));
    const events = new Map((await findEvents(this.#deps.db, wanted)).map((event) => [event.id, event]));
    const claimedAt = performance.now();
    this.#waiting.push(...claims.map((claim) => ({ claim, event: events.get(claim.eventId), claimedAt })));
    this.#slowClaimed += claims.filter(({ slow }) => slow).length;
    this.#startWaiting();
    return claims.length;
  }

  #needsMore(): boolean {
    return this.#stopped || this.#waiting.length <= this.#ahead / 2;
  }

  /** Endpoints that timed out last time use a quarter of the pool. */
  async #claim(room: number): Promise<Claimed[]> {
    const { db, clock, newId } = this.#deps;
    const slowRoom = Math.max(1, Math.floor(this.#pool / 4)) - this.#slowClaimed;
    return await withTransaction(db, async (tx) => {
      const claim = (slow: boolean, limit: number) =>
        claimDeliveries(tx, { token: newId(), slow, limit, now: clock.now() });
      const claims = await claim(false, room);
      const left = Math.min(slowRoom, room - claims.length);
      return left > 0 ? [...claims, ...(await claim(true, left))] : claims;
    });
  }

  /** Starts what has waited longest, while the pool has room. */
  #startWaiting(): void {
    while (this.#stopped || this.#sending.size < this.#pool) {
      const next = this.#waiting.shift();
      if (!next) break;
      this.#track(next.claim, this.#deliver(next));
    }
    if (this.#needsMore()) this.#wakeLoop();
  }

  #track({ slow, eventId, id }: Claimed, work: Promise<void>): void {
    const sending: Promise<void> = work
      .catch((error: unknown) => {
        const told = { err: error, eventId, webhookId: id };
        this.#deps.log.error(told, 'webhook not sent; it is sent when its lease ends');
      })
      .finally(() => {
        this.#slowClaimed -= slow ? 1 : 0;
        this.#sending.delete(sending);
        this.#startWaiting();
      });
    this.#sending.add(sending);
  }

  async #deliver({ claim, event, claimedAt }: Waiting): Promise<void> {
    const { clock } = this.#deps;
    const isLate = performance.now() - claimedAt > MOST_WAIT_MS;
    if (this.#stopped || isLate) return this.#settle(claim, { dueAt: clock.now(), deadAt: null });
    // The log has forgotten the event, or the event is of no use any more. Its owner can replay it while it is known.
    if (claim.ended || !event) return this.#settle(claim, { dueAt: null, deadAt: clock.now() });
    // Before the request counts: a secret that this process cannot open is no fault of the receiver.
    const secrets = openSecrets(this.#deps.webhookSecrets, claim, clock.now());
    const { until, forget } = await countTrial(this.#deps, claim);
    if (until) return this.#settle(claim, { dueAt: until, deadAt: null });
    const at = clock.now();
    const outcome = await sendEvent(this.#deps, claim, event, { secrets, at });
    if (!outcome) {
      await forget();
      return this.#settle(claim, { dueAt: at, deadAt: null });
    }
    const name = outcome.failure ?? 'delivered';
    this.attempts.set(name, (this.attempts.get(name) ?? 0) + 1);
    this.#settle(claim, afterAttempt(claim.retries, outcome, clock.now()), { at, outcome });
  }

  /** Hands over what became of a delivery. Its place in the pool is free from now on. */
  #settle(
    claim: Claimed,
    next: Pick<Settled, 'dueAt' | 'deadAt'> & Partial<Settled>,
    made: { at: Date; outcome: DeliveryOutcome } | null = null,
  ): void {
    const { eventId, id: endpointId, token, retries } = claim;
    const attempt = made && {
      at: made.at.toISOString(),
      // 1 is the first, 2 its immediate retry.
      number: retries - FIRST_ATTEMPT + 1,
      status: made.outcome.status,
      latency_ms: Math.round(made.outcome.latencyMs),
      failure: made.outcome.failure,
      answer: made.outcome.answer,
    };
    const row = { retries, deliveredAt: null, ...next, eventId, endpointId, token, attempt };
    this.#unwritten.push({ row, claim, outcome: made?.outcome ?? null });
    this.#writing ??= this.#write();
  }

  /** Writes outcomes in batches: while one transaction commits, the next outcomes gather. */
  async #write(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const batch = this.#unwritten.splice(0, BATCH);
      const writing = withTransaction(this.#deps.db, (tx) => this.#writeBatch(tx, batch));
      await writing.catch((error: unknown) => {
        const told = { err: error, deliveries: batch.length };
        this.#deps.log.error(told, 'outcomes of webhooks not recorded; they are sent again when their leases end');
      });
      this.wake();
    }
    this.#writing = null;
  }

  async #writeBatch(tx: Tx, batch: Written[]): Promise<void> {
    // Endpoints before their deliveries, in the order of their ids, as deletion and disabling lock them.
    for (const { claim, row, outcome } of batch.toSorted((a, b) => (a.claim.id < b.claim.id ? -1 : 1)))
      if (outcome) await this.#writeHealth(tx, claim, outcome, row.deadAt !== null);
      else if (!claim.verifiedAt && row.deadAt) await lockEndpoint(tx, claim);
    const rows = batch.map(({ row }) => row);
    await settleDeliveries(tx, rows);
    const now = this.#deps.clock.now();
    const at = new Date(now.getTime() + TRIAL_PAUSE_MS);
    for (const { claim, row } of batch) if (!claim.verifiedAt && row.deadAt) await startNext(tx, claim.id, { at, now });
  }

  /** `gaveUp`: it was the last attempt of its event. */
  async #writeHealth(tx: Tx, claim: Claimed, outcome: DeliveryOutcome, gaveUp: boolean): Promise<void> {
    // Usually nothing changes.
    if (!outcome.failure && claim.verifiedAt && !claim.failingSince && !claim.slow) return;
    const now = this.#deps.clock.now();
    const row = await recordHealth(tx, claim, outcome, now);
    if (row?.status !== 'active' || !outcome.failure) return;
    const failsLong = row.failingSince !== null && now.getTime() - row.failingSince.getTime() >= DISABLE_AFTER_MS;
    // A single failure days after another one says little.
    if (!(failsLong && gaveUp) && !isGone(outcome)) return;
    const reason = isGone(outcome) ? 'it answered 410 Gone' : 'nothing was delivered for 120 hours';
    await disableEndpoint(this.#deps, tx, row, reason);
    this.#deps.log.info({ webhookId: row.id }, 'webhook disabled');
  }

  /** Resolves when nothing is in flight and every outcome is written. */
  async #idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    await this.#writing;
  }
}
