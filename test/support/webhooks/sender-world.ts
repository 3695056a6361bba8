import { randomBytes, randomUUIDv7 } from 'node:crypto';
import pino from 'pino';
import type { DeliveryOutcome, WebhookSecrets } from '../../../server/webhooks/types.ts';
import { numberEvents, recordEvents } from '../../../server/events/public.ts';
import { queueEvents, type queueRows } from '../../../server/webhooks/queue-events.ts';
import { createWebhookSecrets } from '../../../server/webhooks/secrets.ts';
import { WebhookSender } from '../../../server/webhooks/sender.ts';
import { insertPoster, insertProject } from '../rows/rows.ts';
import type { Db } from '../../../server/db/database.ts';
import type { Tier } from '../../../server/callers.ts';

export const OK: DeliveryOutcome = { status: 200, failure: null, latencyMs: 5, answer: 'ok' };
export const REFUSED: DeliveryOutcome = { ...OK, status: 500, failure: 'status', answer: 'no' };
export const GONE: DeliveryOutcome = { ...REFUSED, status: 410 };
export const TIMED_OUT: DeliveryOutcome = {
  ...REFUSED,
  status: null,
  failure: 'timeout',
  latencyMs: 5_000,
  answer: null,
};

export type Sent = { url: string; id: string; at: number; headers: Record<string, string>; body: Uint8Array };

export type Subscriber = { id: string; url: string; secret: Buffer };

export type RetryRow = {
  webhookId: string;
  retries: number;
  dueAt: Date | null;
  deadAt: Date | null;
  deliveredAt: Date | null;
  token: string | null;
};

/** `verified`: the endpoints have accepted an event before. */
type Seed = {
  count: number;
  tier?: Tier | undefined;
  verified?: boolean | undefined;
  at: Date;
  urlOf: (n: number, id: string) => string;
};

async function seedSubscriptions(
  db: Db,
  secrets: WebhookSecrets,
  { count, tier = 'starter', verified = true, at, urlOf }: Seed,
): Promise<Subscriber[]> {
  const subscribers = Array.from({ length: count }, (_, n): Subscriber => {
    const [id, secret] = [randomUUIDv7(), randomBytes(32)];
    return { id, secret, url: urlOf(n, id) };
  });
  const agentIds = subscribers.map(() => randomUUIDv7());
  await db`
    insert into agents (id, name, description, specializations, settings, tier, created_at, last_active_at)
    select id, 'A', 'An agent of a test.', '{logo-design}', '{}', ${tier}, ${at}, ${at}
    from unnest(${agentIds}::uuid[]) id`;
  const sealed = subscribers.map(({ id, secret }) => secrets.seal(id, secret).toString('hex'));
  await db`
    insert into webhook_endpoints
      (id, account_kind, account_id, specified, url, host, secret, types, verified_at, created_at, updated_at)
    select id, 'agent', agent_id, true, url, substring(url from '//([^/:]*)'), decode(secret, 'hex'), '{PROJECT.OPEN}',
      ${verified ? at : null}, ${at}, ${at}
    from unnest(${subscribers.map(({ id }) => id)}::uuid[], ${agentIds}::uuid[], ${subscribers.map(({ url }) => url)}::text[],
      ${sealed}::text[]) as w (id, agent_id, url, secret)`;
  return subscribers;
}

/** Writes the event of an opened project: elite agents get it at `at`, and others at `visibleAt`. Returns its id. */
async function seedEvent(db: Db, at: Date, visibleAt = at, projectId: string = randomUUIDv7()): Promise<string> {
  const id = randomUUIDv7();
  const project = { id: projectId, title: 'A logo', created_at: at.toISOString() };
  const event = { id, market: { publishedAt: at, visibleAt }, type: 'PROJECT.OPEN', data: { project } };
  await db.begin((tx) => recordEvents({ newId: () => randomUUIDv7() }, tx, at, [event as never]));
  return id;
}

type SubscribeOptions = { tier?: Tier; verified?: boolean; host?: (n: number) => string };
type AttemptRow = { webhookId: string; number: number; outcome: string; failure: string | null; at: Date };

/** Subscriptions and events in a real database, a manual clock, and senders whose deliveries the test answers. */
export function senderWorld(db: Db) {
  // The migration creates partitions for the days around its own, so the clock starts now.
  let now = Math.floor(Date.now() / 1000) * 1000;
  const sent: Sent[] = [];
  const secrets = createWebhookSecrets({ key: randomBytes(32), randomBytes });
  const answer: { of: (url: string, sent: Sent) => DeliveryOutcome | Promise<DeliveryOutcome> } = { of: () => OK };
  const errors: unknown[] = [];
  const write = (line: string) => void errors.push(JSON.parse(line));
  const at = (ms = 0) => new Date(now + ms);

  const deps = {
    db,
    reads: db,
    clock: { now: () => at() },
    newId: () => randomUUIDv7(),
    log: pino({ level: 'error' }, { write }),
    config: {
      development: false,
      serviceName: 'concours',
    },
  };

  function sender({ pool }: { pool?: number } = {}): WebhookSender {
    const parts = {
      ...deps,
      webhookSecrets: secrets,
      async deliverWebhook({ url, headers, body }: Pick<Sent, 'url' | 'headers' | 'body'>) {
        const delivery = { url, headers, body, id: headers['webhook-id'] ?? '', at: now };
        sent.push(delivery);
        return { ...(await answer.of(url, delivery)) };
      },
    };
    return new WebhookSender(parts as unknown as ConstructorParameters<typeof WebhookSender>[0], pool);
  }

  /** Numbers and queues the events that are visible, as the jobs do. */
  async function queue(): Promise<void> {
    const both = deps as unknown as Parameters<typeof numberEvents>[0] & Parameters<typeof queueEvents>[0];
    await numberEvents(both);
    await queueEvents(both, new AbortController().signal);
  }

  const subscribe = (count: number, { tier, verified, host = (n) => `h${n}.example` }: SubscribeOptions = {}) =>
    seedSubscriptions(db, secrets, { count, tier, verified, at: at(), urlOf: (n, id) => `https://${host(n)}/${id}` });

  return {
    sent,
    errors,
    answer,
    sender,
    subscribe,
    at,
    advance: (ms: number) => void (now += ms),
    async subscriber(options?: SubscribeOptions): Promise<Subscriber> {
      const [one] = await subscribe(1, options);
      if (!one) throw new Error('no subscriber was inserted');
      return one;
    },
    async announce({
      earlyAccessMs = 0,
      projectId,
    }: { earlyAccessMs?: number; projectId?: string } = {}): Promise<string> {
      const id = await seedEvent(db, at(), at(earlyAccessMs), projectId);
      await queue();
      return id;
    },
    /** Writes an event, and returns its row of the log. */
    async log() {
      const id = await seedEvent(db, at());
      const [row] = await db<Parameters<typeof queueRows>[1]>`
        select id, stream, type, occurred_at as "occurredAt", data::text as data from events where id = ${id}`;
      return row!;
    },
    /** Inserts a project that takes entries, as far as webhooks know. `endProject` ends it. */
    project: async () => await insertProject(db, at(), { poster_id: await insertPoster(db, at()) }),
    endProject: (id: string) => db`update projects set status = 'cancelled' where id = ${id}`,
    /** Sends until nothing is due at the current time of the clock. */
    async settle(one: WebhookSender): Promise<void> {
      await queue();
      for (let round = 0; round < 50; round += 1) if (!(await one.runOnce())) return;
      throw new Error('deliveries are still due after 50 rounds');
    },
    async retries(): Promise<RetryRow[]> {
      const rows = await db<RetryRow[]>`
        select endpoint_id as "webhookId", retries, due_at as "dueAt", dead_at as "deadAt",
          delivered_at as "deliveredAt", token from webhook_deliveries order by event_id, endpoint_id`;
      return [...rows];
    },
    async attempts(): Promise<AttemptRow[]> {
      const rows = await db<AttemptRow[]>`
        select endpoint_id as "webhookId", (a ->> 'number')::integer as number, a ->> 'failure' as failure,
          case when a ->> 'failure' is null then 'delivered' else 'failed' end as outcome, (a ->> 'at')::timestamptz as at
        from webhook_deliveries, jsonb_array_elements(attempts) a order by at, number`;
      return [...rows];
    },
    async webhook(id: string) {
      const [row] = await db<
        {
          status: string;
          disabledReason: string | null;
          failingSince: Date | null;
          slow: boolean;
          verifiedAt: Date | null;
        }[]
      >`
        select status, disabled_reason as "disabledReason", failing_since as "failingSince", slow,
          verified_at as "verifiedAt"
        from webhook_endpoints where id = ${id}`;
      if (!row) throw new Error('no such webhook');
      return row;
    },
    /** Removes everything that an earlier test left. */
    async clear(): Promise<void> {
      await db`truncate webhook_deliveries, webhook_endpoints`;
      sent.length = 0;
      errors.length = 0;
      answer.of = () => OK;
    },
  };
}
