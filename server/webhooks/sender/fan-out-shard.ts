import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../db/public.ts';
import { recordHealth } from './endpoint-health.ts';
import { eventFor } from './event-body.ts';
import { FirstDelivery } from './first-delivery.ts';
import { insertAttempts, insertRetries } from './outcome-queries.ts';
import { newRetryOf, outcomeOfHandedOver } from './outcome-rows.ts';
import { advanceFanOut, type ClaimedFanOut, LEASE_MS, PART_LEASE_MS } from './sender-queries.ts';
import type { SharedParts } from './shared-parts.ts';
import { groupOf, type ShardGroup } from './shards.ts';
import { Signal } from './signal.ts';
import { SubscriptionReader } from './subscription-reader.ts';
import { wakeTrials } from '../trials/public.ts';
import type { SignableEvent } from '../delivery/public.ts';

/** Outcomes that are worth a transaction while more are on their way. */
const BATCH = 120;
/** Without a batch, the lease is renewed after this time. */
const RENEW_MS = 3_000;
const MAX_TRIES = 5;
const OVERDUE_CHECK_MS = 25;

/** Another process has the lease now and goes on from the cursor. */
class LeaseLostError extends Error {}

/**
 * Sends one event to one shard of the subscriptions, in the order of their ids. Deliveries that are started and not yet
 * written form a window. The deliveries with an outcome at its beginning are written in one transaction with the cursor.
 * A delivery that takes longer than others, and so blocks the cursor, is handed over to a leased retry row.
 */
export class FanOutShard {
  readonly #parts: SharedParts;
  readonly #claimed: ClaimedFanOut;
  readonly #token: string;
  readonly #group: ShardGroup;
  readonly #event: SignableEvent;
  readonly #subscriptions: SubscriptionReader;
  readonly #progress = new Signal();
  readonly #started = Promise.withResolvers<void>();
  /** In the order of the cursor. */
  readonly #window: FirstDelivery[] = [];
  /** How many deliveries of the window have an outcome. */
  #endedCount = 0;
  /** Resolves with whether the transaction that hands a delivery over has committed. */
  readonly #handedOver = new Map<FirstDelivery, Promise<boolean>>();
  #cursor: string | null;
  #writtenAt = performance.now();
  #writing: Promise<void> | null = null;
  #reading: Promise<void> | null = null;
  #isDone = false;
  #failure: unknown = null;

  constructor(parts: SharedParts, claimed: ClaimedFanOut, token: string) {
    this.#parts = parts;
    this.#claimed = claimed;
    this.#token = token;
    this.#group = groupOf(claimed.shard);
    this.#event = eventFor(claimed.eventId, claimed, claimed.shard);
    this.#subscriptions = new SubscriptionReader(parts.deps, claimed);
    this.#cursor = claimed.after;
  }

  /** Resolves once every delivery is started; the rest of the work waits for responses. Never rejects. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves once everything is written, or left to the next claim of the shard. Never rejects. */
  async run(): Promise<void> {
    const { limits } = this.#parts;
    const unsubscribe = limits.subscribe(() => this.#progress.raise());
    const timer = setInterval(() => this.#progress.raise(), OVERDUE_CHECK_MS);
    while (!this.#isDone && this.#failure === null) {
      this.#startDeliveries();
      if (this.#isStarted) this.#started.resolve();
      this.#startWriting();
      await this.#progress.next();
    }
    clearInterval(timer);
    unsubscribe();
    await Promise.all([this.#reading, this.#writing]);
    limits.removeUncommitted(this.#window.length);
    this.#started.resolve();
    if (this.#failure !== null) this.#logFailure();
  }

  get #isStarted(): boolean {
    return this.#subscriptions.isExhausted || this.#parts.stopping.aborted;
  }

  #startDeliveries(): void {
    const { limits, stopping, busy } = this.#parts;
    this.#subscriptions.dropStale();
    while (!stopping.aborted && limits.hasRoom(this.#group)) {
      const subscription = this.#subscriptions.take();
      if (!subscription) break;
      limits.addUncommitted();
      const delivery = new FirstDelivery(subscription);
      this.#window.push(delivery);
      if (!subscription.verified || subscription.slow || subscription.busy || busy.has(subscription.id)) {
        delivery.defer();
        this.#endedCount += 1;
      } else this.#parts.background.add(this.#send(delivery));
    }
    if (!stopping.aborted) this.#readAhead();
  }

  #readAhead(): void {
    const reading = this.#subscriptions.readAhead();
    if (!reading) return;
    this.#reading = reading
      .catch((error: unknown) => {
        this.#failure = error;
      })
      .finally(() => this.#progress.raise());
  }

  async #send(delivery: FirstDelivery): Promise<void> {
    const { limits, outcomes } = this.#parts;
    const slot = limits.start();
    const endedAt = await delivery.send(this.#parts, slot, this.#event);
    const committed = this.#handedOver.get(delivery);
    if (!committed) this.#endedCount += 1;
    limits.end(slot, delivery.attempts[0]?.outcome.ok ?? false);
    if (!committed) return;
    this.#handedOver.delete(delivery);
    const lease = { claimed: this.#claimed, token: this.#token, endedAt };
    if (await committed) outcomes.add(outcomeOfHandedOver(delivery, lease));
  }

  /** Writes the beginning of the window, if that is worth a transaction. */
  #startWriting(): void {
    if (this.#writing) return;
    const isStarted = this.#isStarted;
    const { isFull } = this.#parts.limits;
    const mustRenew = performance.now() - this.#writtenAt > RENEW_MS;
    // This runs after every delivery, so walk the window only when the result can matter.
    if (!isStarted && !isFull && !mustRenew && this.#endedCount < BATCH) return;
    const ended = this.#countWritable({ withOverdue: false });
    // Each handed-over delivery costs two more writes, so hand over only when nothing else can be written.
    const count = ended >= BATCH ? ended : this.#countWritable({ withOverdue: isStarted || isFull });
    const isLast = isStarted && count === this.#window.length;
    if (!isLast && !mustRenew && !(isFull && count > 0) && count < BATCH) return;
    this.#writing = this.#write(this.#window.slice(0, count), isLast).finally(() => {
      this.#writing = null;
      this.#parts.limits.notify();
      this.#progress.raise();
    });
  }

  /** Counts the deliveries at the beginning of the window that have an outcome or, if wanted, are overdue. */
  #countWritable({ withOverdue }: { withOverdue: boolean }): number {
    const { limits } = this.#parts;
    const blocking = this.#window.findIndex(
      (delivery) => delivery.state === 'in flight' && !(withOverdue && delivery.isOverdue(limits)),
    );
    return blocking === -1 ? this.#window.length : blocking;
  }

  async #write(batch: FirstDelivery[], isLast: boolean): Promise<void> {
    const { promise: committed, resolve: tellCommitted } = Promise.withResolvers<boolean>();
    for (const delivery of batch) {
      const isHandedOver = delivery.state === 'in flight' && delivery.handOver();
      if (isHandedOver) this.#handedOver.set(delivery, committed);
    }
    try {
      await this.#commitWithRetries(batch, isLast);
      this.#window.splice(0, batch.length);
      this.#endedCount = this.#window.filter(({ state }) => state !== 'in flight').length;
      this.#parts.limits.removeUncommitted(batch.length);
      this.#cursor = batch.at(-1)?.endpoint.id ?? this.#cursor;
      this.#writtenAt = performance.now();
      this.#isDone = isLast;
      tellCommitted(true);
      await recordHealth(this.#parts.deps, observationsOf(batch));
    } catch (error) {
      this.#failure = error;
      tellCommitted(false);
    }
  }

  async #commitWithRetries(batch: FirstDelivery[], isLast: boolean): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#commit(batch, isLast);
      } catch (error) {
        if (error instanceof LeaseLostError || tries === MAX_TRIES) throw error;
        this.#parts.deps.log.warn({ err: error }, 'a batch of webhook outcomes could not be written; retrying');
        await sleep(100 * 2 ** tries);
      }
    }
  }

  async #commit(batch: FirstDelivery[], isLast: boolean): Promise<void> {
    const { db, clock } = this.#parts.deps;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const step = {
      token: this.#token,
      from: this.#cursor,
      to: batch.at(-1)?.endpoint.id ?? this.#cursor,
      attempted: batch.length,
      leaseUntil: isLast ? null : new Date(now.getTime() + PART_LEASE_MS),
      doneAt: isLast && this.#subscriptions.isExhausted ? now : null,
    };
    const attempts = batch.flatMap((delivery) => (delivery.state === 'done' ? delivery.attempts : []));
    const retries = batch.flatMap((delivery) => newRetryOf(delivery, { token: this.#token, now, leaseUntil }) ?? []);
    const unverified = batch.flatMap(({ endpoint: { id, verified } }) => (verified ? [] : [id]));
    await withTransaction(db, async (tx) => {
      const [isAdvanced] = await Promise.all([
        advanceFanOut(tx, this.#claimed, step),
        insertAttempts(tx, attempts),
        insertRetries(tx, this.#claimed, retries),
      ]);
      await wakeTrials(tx, unverified, now);
      if (!isAdvanced) throw new LeaseLostError('another process has the lease of this shard');
    });
  }

  #logFailure(): void {
    const { eventId, shard } = this.#claimed;
    // A lost lease is harmless, because its new owner goes on with the shard.
    const level = this.#failure instanceof LeaseLostError ? 'warn' : 'error';
    const message = 'a shard of a webhook fan-out was given up; it continues when its lease expires';
    this.#parts.deps.log[level]({ err: this.#failure, eventId, shard }, message);
  }
}

function observationsOf(batch: FirstDelivery[]) {
  return batch.flatMap(({ endpoint, state, attempts }) => {
    const last = state === 'done' ? attempts.at(-1) : undefined;
    return last ? [{ endpoint, outcome: last.outcome }] : [];
  });
}
