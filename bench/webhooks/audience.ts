import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withTransaction } from '../../server/db/transaction.ts';
import { derivedKey } from '../../server/keys/derived-key.ts';
import { createWebhookSecrets } from '../../server/webhooks/delivery/secrets.ts';
import { SHARDS, shardOf } from '../../server/webhooks/sender/shards.ts';
import type { Child } from '../child.ts';
import { typicalBody } from './event.ts';
import type { Progress, ReceiverReport } from './receiver-peer.ts';
import type { Db } from '../../server/ports/database.ts';
import type { Tier } from '../../server/ports/callers.ts';

// The subscribers of the webhook benchmarks, and the reports of their receivers.

/** Where a subscriber's webhook leads: a host below `receivers.localhost`, and its behavior. */
export type Destination = { host: string; behavior?: 'ok' | 'tarpit' };

export type Announced = { id: string; at: number; subscribers: number };

export type Arrivals = Pick<ReceiverReport, 'counts' | 'at' | 'strangers' | 'connections'>;

export type Audience = {
  /**
   * Gives webhooks to the first `count` subscribers and removes all deliveries. `turn` is a subscriber's number in its
   * part of a fan-out.
   */
  subscribe(count: number, destination: (n: number, turn: number) => Destination): Promise<void>;
  /** Inserts an event as an opened project without early access does. */
  announce(): Promise<Announced>;
  /** Returns how many subscribers the event has reached. */
  reached(): Promise<number>;
  /** Waits until the event has reached `count` subscribers. Throws after a minute without progress. */
  untilReached(count: number): Promise<void>;
  /** Waits until every part of the fan-out is done and nothing is due. */
  untilWritten(): Promise<void>;
  arrivals(): Promise<Arrivals>;
};

type AudienceOptions = { db: Db; secretsKey: string; subscribers: number; receivers: Child[]; ports: number[] };

const CHUNK = 10_000;
const STALLED_MS = 60_000;

export async function createAudience(options: AudienceOptions): Promise<Audience> {
  const { db, receivers, ports } = options;
  const turns = await insertSubscribers(options);
  let subscribed = 0;

  async function reached(): Promise<number> {
    const all = await Promise.all(receivers.map((receiver) => receiver.ask<Progress>({ kind: 'progress' })));
    return all.reduce((sum, each) => sum + each.reached, 0);
  }

  return {
    reached,
    async subscribe(count, destination) {
      subscribed = count;
      // Repeat the transaction if it deadlocks with the end of a part, which locks the tables in another order.
      await withTransaction(
        db,
        (tx) => tx`truncate webhook_retries, webhook_attempts, webhook_fan_outs, webhook_events, webhooks`,
      );
      for (let from = 0; from < count; from += CHUNK) {
        const numbers = Array.from({ length: Math.min(CHUNK, count - from) }, (_, index) => from + index);
        const urls = numbers.map((n) => urlOf(destination(n, turns[n] ?? 0), ports[n % ports.length] ?? 0, n));
        await db`
          insert into webhooks (id, agent_id, url, secret, shard, verified_at, created_at, updated_at)
          select id, agent_id, u.url, secret, shard, now(), now(), now()
          from bench_subscribers s join unnest(${numbers}::int[], ${urls}::text[]) as u (n, url) on u.n = s.n`;
      }
      await db`vacuum (analyze) webhooks, webhook_fan_outs, webhook_events`;
      await db.unsafe('checkpoint');
    },
    async announce() {
      const id = randomUUIDv7();
      for (const receiver of receivers) await receiver.ask({ kind: 'expect', eventId: id, subscribers: subscribed });
      const at = new Date();
      await db.begin(async (tx) => {
        await tx`
          insert into webhook_events (id, kind, body, created_at) values (${id}, 'PROJECT.OPEN', ${typicalBody(at)}, ${at})`;
        await tx`
          insert into webhook_fan_outs (event_id, shard, due_at)
          select ${id}, shard, ${at} from generate_series(0, ${SHARDS - 1}) shard`;
      });
      return { id, at: at.getTime(), subscribers: subscribed };
    },
    async untilReached(count) {
      let last = { count: -1, at: performance.now() };
      for (let now = await reached(); now < count; now = await reached()) {
        if (now > last.count) last = { count: now, at: performance.now() };
        if (performance.now() - last.at > STALLED_MS)
          throw new Error(`${now} of ${count} subscribers were reached, and no other for a minute`);
        await sleep(100);
      }
    },
    async untilWritten() {
      for (const deadline = performance.now() + STALLED_MS; performance.now() < deadline; await sleep(100)) {
        const [open] = await db<[{ open: boolean }]>`
          select exists (select 1 from webhook_fan_outs where done_at is null)
            or exists (select 1 from webhook_retries where due_at <= now()) as open`;
        if (!open.open) return;
      }
      throw new Error('an event was not finished within a minute');
    },
    async arrivals() {
      const reports = await Promise.all(receivers.map((each) => each.ask<ReceiverReport>({ kind: 'report' })));
      const counts = new Uint16Array(subscribed);
      const at = new Float64Array(subscribed);
      for (const report of reports) {
        for (const [n, count] of report.counts.entries()) counts[n] = (counts[n] ?? 0) + count;
        for (const [n, time] of report.at.entries()) if (time > 0) at[n] = time;
      }
      const sumOf = (name: 'strangers' | 'connections') => reports.reduce((sum, each) => sum + each[name], 0);
      return { counts, at, strangers: sumOf('strangers'), connections: sumOf('connections') };
    },
  };
}

function urlOf({ host, behavior = 'ok' }: Destination, port: number, n: number): string {
  return `https://${host}.receivers.localhost:${port}/${behavior}/${n}`;
}

/** Returns a subscriber's tier: 1 in 100 is elite, 1 in 20 is pro, and the others are starters. */
function tierOf(n: number): Tier {
  if (n % 100 === 0) return 'elite';
  return n % 20 === 1 ? 'pro' : 'starter';
}

/** Inserts agents and prepares their webhooks. Returns the turn of each in its part. */
async function insertSubscribers({ db, secretsKey, subscribers }: AudienceOptions): Promise<number[]> {
  const turns: number[] = [];
  const next = Array.from({ length: SHARDS }, () => 0);
  const { seal } = createWebhookSecrets({ key: derivedKey(secretsKey, 'webhook secrets'), randomBytes });
  await db`
    create unlogged table bench_subscribers (
      n integer primary key, id uuid not null, agent_id uuid not null, secret bytea not null, shard smallint not null)`;
  for (let from = 0; from < subscribers; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, subscribers - from) }, (_, index) => {
      const [n, id] = [from + index, randomUUIDv7()];
      const tier = tierOf(n);
      const shard = shardOf(tier, id);
      turns.push(next[shard] ?? 0);
      next[shard] = (next[shard] ?? 0) + 1;
      return { n, id, tier, shard, secret: seal(id, randomBytes(32)).toString('hex') };
    });
    await db`
      with given as (
        select n, id, uuidv7() as agent_id, tier, decode(secret, 'hex') as secret, shard
        from unnest(${rows.map((row) => row.n)}::int[], ${rows.map((row) => row.id)}::uuid[],
          ${rows.map((row) => row.tier)}::text[], ${rows.map((row) => row.secret)}::text[],
          ${rows.map((row) => row.shard)}::smallint[]) as g (n, id, tier, secret, shard)
      ), made as (
        insert into agents (id, name, description, specializations, tier, settings, created_at, last_active_at)
        select agent_id, 'Subscriber ' || n, 'Hears of every project.', array['logo-design'], tier, '{}', now(), now()
        from given
      )
      insert into bench_subscribers select n, id, agent_id, secret, shard from given`;
  }
  await db`vacuum (analyze) agents, bench_subscribers`;
  return turns;
}
