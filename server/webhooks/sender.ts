import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { findEvents, type LoggedEvent } from '../events/public.ts';
import { isThisMachine } from '../outbound/public.ts';
import type { DeliveryOutcome } from './types.ts';
import {
  type Claimed,
  claimDeliveries,
  giveUpOn,
  type Settled,
  settleDeliveries,
  startNext,
  startWaiting,
} from './delivery-queries.ts';
import { disableFailed, recordHealth } from './endpoint-queries.ts';
import { tellDisabled } from './endpoint-view.ts';
import { loggedEvent, specifiedEvent } from './event-body.ts';
import { NetworkSlots } from './network-slots.ts';
import { afterAttempt, attemptNumber, isGone } from './retry-schedule.ts';
import { openSecrets } from './secrets.ts';
import { signDelivery } from './signature.ts';
import { traceHeaders, traced } from '../tracing.ts';
import { takeRequest } from './trials.ts';

/** The deliveries in flight of a process. */
const POOL = 512;
const MAX_PER_NETWORK = 8;
const POLL_MS = 250;
const POLL_AFTER_ERROR_MS = 1_000;
const DISABLE_AFTER_MS = 120 * 3_600_000;
/** An endpoint that never succeeded starts its next event this long after the one before was given up. */
const TRIAL_PAUSE_MS = 3_600_000;
/** A delivery that waited this long for its network is given back, well before its lease ends. */
const MAX_WAIT_MS = 15_000;
/** Outcomes that one transaction writes. */
const BATCH = 200;

export type SenderDeps = Pick<
  Deps,
  'db' | 'clock' | 'newId' | 'config' | 'log' | 'webhookSecrets' | 'deliverWebhook' | 'webhookTarget'
>;

/** Metrics of one process. */
export type SenderMetrics = {
  /** Attempts since the start of the process, by `delivered` or by failure. */
  attempts: ReadonlyMap<string, number>;
  inFlight: number;
};

/** What an attempt changes: its row, and the endpoint that it was sent to. Without an outcome, nothing was sent. */
type Written = { row: Settled; claim: Claimed; outcome: DeliveryOutcome | null };

/**
 * Sends the deliveries that are due. Any number of processes may do so: each claims rows by a lease, sends them outside of
 * any transaction, and finishes a row only while the lease is still its own.
 */
export class WebhookSender {
  readonly #deps: SenderDeps;
  readonly #pool: number;
  readonly #slots = new NetworkSlots(MAX_PER_NETWORK);
  readonly #sending = new Set<Promise<void>>();
  readonly #attempts = new Map<string, number>();
  readonly #written: Written[] = [];
  #slowInFlight = 0;
  #writing: Promise<void> | null = null;
  #loop: Promise<void> | null = null;
  #stopped = false;
  #raised = false;
  #raise: () => void = () => {};

  /** @param pool the most deliveries in flight */
  constructor(deps: SenderDeps, pool = POOL) {
    this.#deps = deps;
    this.#pool = pool;
  }

  /** Looks now. Call it after the commit of what became due. */
  wake(): void {
    this.#raised = true;
    this.#raise();
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Starts nothing more, and resolves when every delivery in flight has its outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#loop;
    await this.#idle();
  }

  /** Sends what is due now. Returns false when nothing was due. */
  async runOnce(): Promise<boolean> {
    const started = await this.#startDue();
    await this.#idle();
    return started > 0;
  }

  metrics(): SenderMetrics {
    return { attempts: this.#attempts, inFlight: this.#sending.size };
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      let pauseMs = POLL_MS;
      this.#raised = false;
      try {
        if ((await this.#startDue()) > 0) pauseMs = 0;
      } catch (error) {
        pauseMs = POLL_AFTER_ERROR_MS;
        this.#deps.log.error({ err: error }, 'webhooks that are due could not be read');
      }
      if (pauseMs > 0 && !this.#raised) await this.#pause(pauseMs);
    }
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#raise = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Claims and starts what the process has room for. Endpoints that timed out last time use a quarter of it. */
  async #startDue(): Promise<number> {
    const pool = this.#pool;
    if (this.#sending.size >= pool) await Promise.race(this.#sending);
    const room = pool - this.#sending.size;
    const slowRoom = Math.min(room, Math.max(1, Math.floor(pool / 4)) - this.#slowInFlight);
    const claims = await this.#claim(false, room);
    if (slowRoom > 0) claims.push(...(await this.#claim(true, Math.min(slowRoom, room - claims.length))));
    if (claims.length === 0) return 0;
    const wanted = claims.map(({ eventId: id, stream }) => ({ id, stream }));
    const events = new Map((await findEvents(this.#deps.db, wanted)).map((event) => [event.id, event]));
    for (const claim of claims) this.#track(claim, this.#deliver(claim, events.get(claim.eventId)));
    return claims.length;
  }

  async #claim(slow: boolean, limit: number): Promise<Claimed[]> {
    if (limit <= 0) return [];
    const { db, clock, newId } = this.#deps;
    return await withTransaction(db, (tx) => claimDeliveries(tx, { token: newId(), slow, limit, now: clock.now() }));
  }

  #track({ slow, eventId, id }: Claimed, work: Promise<void>): void {
    this.#slowInFlight += slow ? 1 : 0;
    const sending: Promise<void> = work
      .catch((error: unknown) => {
        const told = { err: error, eventId, webhookId: id };
        this.#deps.log.error(told, 'webhook not sent; will be retried when its lease expires');
      })
      .finally(() => {
        this.#slowInFlight -= slow ? 1 : 0;
        this.#sending.delete(sending);
      });
    this.#sending.add(sending);
  }

  async #deliver(claim: Claimed, event: LoggedEvent | undefined): Promise<void> {
    const { clock, webhookTarget, config } = this.#deps;
    // The log has forgotten the event, or the event is of no use any more. Its owner can replay it while it is known.
    if (claim.ended || !event) return await this.#settle(claim, { dueAt: null, deadAt: clock.now() });
    // The attempt itself reports why a URL leads nowhere. Receivers of a development start share this machine's network.
    const claimedAt = performance.now();
    const { network } = await webhookTarget(claim.url);
    const isOwn = config.development && isThisMachine(new URL(claim.url).hostname);
    await this.#slots.run(isOwn ? null : network, async () => {
      if (performance.now() - claimedAt > MAX_WAIT_MS)
        return await this.#settle(claim, { dueAt: clock.now(), deadAt: null });
      const refusal = claim.verified
        ? null
        : await takeRequest(this.#deps, { endpointId: claim.id, url: claim.url, eventId: claim.eventId, test: false });
      if (refusal) return await this.#settle(claim, { dueAt: refusal.until, deadAt: null });
      const at = clock.now();
      const outcome = await this.#traced(claim, event, at);
      this.#count(outcome);
      await this.#settle(claim, afterAttempt(claim.retries, outcome, clock.now()), { at, outcome });
    });
  }

  /** Sends in the trace of the request that caused the event. */
  async #traced(claim: Claimed, event: LoggedEvent, at: Date): Promise<DeliveryOutcome> {
    const begins = event.trace ? { traceparent: event.trace } : null;
    const attributes = { 'concours.event': event.type, 'concours.event_id': event.id, 'concours.webhook_id': claim.id };
    return await traced(`webhook ${event.type}`, { kind: 'client', begins, attributes }, async (span) => {
      const outcome = await this.#send(claim, event, at);
      span.set({ 'http.response.status_code': outcome.status, 'error.type': outcome.failure });
      return outcome;
    });
  }

  /** Sends to the URL that the endpoint has now, signed with the secrets that it has now. */
  async #send(claim: Claimed, event: LoggedEvent, at: Date): Promise<DeliveryOutcome> {
    const { webhookSecrets, config, deliverWebhook, log } = this.#deps;
    try {
      const signable = claim.specified ? specifiedEvent(event, claim.accountId) : loggedEvent(event);
      const secrets = openSecrets(webhookSecrets, claim, at);
      const { headers, body } = signDelivery(signable, secrets, { at, serviceName: config.serviceName });
      return await deliverWebhook({ url: claim.url, headers: { ...headers, ...traceHeaders() }, body });
    } catch (error) {
      // Most likely a secret that cannot be decrypted. It counts as a failed attempt, which the owner sees in its list.
      log.error({ webhookId: claim.id, err: error }, 'webhook could not be signed or sent');
      return { ok: false, status: null, failure: 'connection', latencyMs: 0, answer: null, network: null };
    }
  }

  #count({ ok, failure }: DeliveryOutcome): void {
    const name = ok ? 'delivered' : (failure ?? 'connection');
    this.#attempts.set(name, (this.#attempts.get(name) ?? 0) + 1);
  }

  async #settle(
    claim: Claimed,
    next: Pick<Settled, 'dueAt' | 'deadAt'> & Partial<Settled>,
    made: { at: Date; outcome: DeliveryOutcome } | null = null,
  ): Promise<void> {
    const { eventId, id: endpointId, token, retries } = claim;
    const attempt = made && {
      at: made.at.toISOString(),
      number: attemptNumber(retries),
      status: made.outcome.status,
      latency_ms: Math.round(made.outcome.latencyMs),
      failure: made.outcome.ok ? null : (made.outcome.failure ?? 'connection'),
      answer: made.outcome.answer,
    };
    const row = { retries, deliveredAt: null, ...next, eventId, endpointId, token, attempt };
    this.#written.push({ row, claim, outcome: made?.outcome ?? null });
    this.#writing ??= this.#write().finally(() => (this.#writing = null));
    await this.#writing;
  }

  /** Writes outcomes in batches: while one transaction commits, the next outcomes gather. */
  async #write(): Promise<void> {
    while (this.#written.length > 0) {
      const batch = this.#written.splice(0, BATCH);
      await withTransaction(this.#deps.db, async (tx) => {
        // Endpoints before their deliveries, in the order of their ids, as deletion and disabling lock them.
        for (const { claim, outcome } of batch.toSorted((a, b) => (a.claim.id < b.claim.id ? -1 : 1)))
          if (outcome) await this.#writeHealth(tx, claim, outcome);
        await settleDeliveries(
          tx,
          batch.map(({ row }) => row),
        );
        for (const { claim, row } of batch) {
          const now = this.#deps.clock.now();
          const at = new Date(now.getTime() + TRIAL_PAUSE_MS);
          if (!claim.verified && row.deadAt) await startNext(tx, claim.id, { at, now });
        }
      });
      this.wake();
    }
  }

  async #writeHealth(tx: Parameters<typeof recordHealth>[0], claim: Claimed, outcome: DeliveryOutcome): Promise<void> {
    const { clock, log } = this.#deps;
    const now = clock.now();
    const { id, url, verified, slow } = claim;
    const health = { id, url, ok: outcome.ok, slow: outcome.failure === 'timeout' };
    // Usually nothing changes.
    if (outcome.ok && verified && !claim.failing && slow === health.slow) return;
    if (await recordHealth(tx, health, now)) await startWaiting(tx, id, now);
    if (outcome.ok) return;
    const since = new Date(now.getTime() - DISABLE_AFTER_MS);
    const disabled = await disableFailed(tx, health, { gone: isGone(outcome), since, now });
    if (!disabled) return;
    await Promise.all([giveUpOn(tx, id, now), tellDisabled(this.#deps, tx, disabled, now)]);
    log.info({ webhookId: id }, 'webhook disabled');
  }

  /** Resolves when nothing is in flight and every outcome is written. */
  async #idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
    await this.#writing;
  }
}
