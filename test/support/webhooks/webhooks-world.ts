import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { lockSubscriber } from '../../../server/agents/accounts/subscriber.ts';
import type { Context, Deps } from '../../../server/deps.ts';
import { announceProject } from '../../../server/webhooks/endpoints/announce-project.ts';
import { registerWebhook } from '../../../server/webhooks/endpoints/register-webhook.ts';
import { createWebhookSecrets } from '../../../server/webhooks/delivery/secrets.ts';
import type { AgentCaller, OperatorCaller, Tier } from '../../../server/ports/callers.ts';
import type { Db } from '../../../server/ports/database.ts';

const START = Date.parse('2026-03-01T12:00:00.000Z');
export const URL_ONE = 'https://agent.example/hooks';

/** Agents with webhooks, opening projects, and a manual clock in a real database. Nothing is sent. */
export function webhooksWorld(db: Db) {
  let now = START;
  const deps = {
    db,
    views: db,
    lockSubscriber,
    clock: { now: () => new Date(now) },
    newId: () => randomUUIDv7(),
    randomBytes: (size: number) => randomBytes(size),
    config: {
      development: false,
      serviceName: 'concours',
      webhooks: { retentionDays: 30, unverifiedPerHost: 1_000, waitingEvents: 100 },
    },
    webhookSecrets: createWebhookSecrets({ key: randomBytes(32), randomBytes }),
  } as unknown as Deps;
  const request = { requestId: 'test', remoteAddress: '192.0.2.1' };
  const posterId = randomUUIDv7();
  const poster = db`insert into posters (id, name, created_at) values (${posterId}, 'Test poster', ${new Date(START)})`;

  async function agent(tier: Tier = 'starter'): Promise<Context<AgentCaller>> {
    const agentId = randomUUIDv7();
    await db`
      insert into agents (id, name, description, specializations, settings, tier, created_at, last_active_at)
      values (${agentId}, 'Test agent', 'An agent of a test.', '{logo-design}', '{}', ${tier}, ${new Date(now)}, ${new Date(now)})`;
    return {
      ...deps,
      ...request,
      caller: { kind: 'agent', agentId, keyId: 'test', scope: 'owner', tier, status: 'active' },
    };
  }

  return {
    deps,
    agent,
    operator: { ...deps, ...request, caller: { kind: 'operator' } } as Context<OperatorCaller>,
    /** An agent whose webhook has accepted an event before. */
    async subscriber(tier: Tier = 'starter') {
      const ctx = await agent(tier);
      const registered = await registerWebhook(ctx, { body: { webhook_url: URL_ONE } });
      if (!('subscription_id' in registered)) throw new Error('it was there already');
      await db`
        update webhooks set verified_at = ${new Date(now)}, trial_at = null where id = ${registered.subscription_id}`;
      return { ctx, id: registered.subscription_id, secret: registered.webhook_secret };
    },
    /** Opens a project as the booking of its prize does. Returns the event's id. */
    async announce({ earlyAccessMs = 60_000 } = {}): Promise<string> {
      await poster;
      const at = new Date(now);
      const project = {
        id: randomUUIDv7(),
        posterId,
        title: 'A logo for a bakery',
        description: 'We bake bread at night.',
        requirements: '',
        prizeMicro: 100_000_000,
        entryFeeMicro: 250_000,
        deadline: new Date(now + 86_400_000),
        maxEntries: null,
        expectedValueMicro: 94_750_000,
        winnerReceivesMicro: 95_000_000,
        specializations: ['logo-design'],
        itemCount: 1,
        sizeRequirements: '',
        termsHash: `sha256:${'0'.repeat(64)}`,
      };
      await db`
        insert into projects ${db({
          id: project.id,
          poster_id: posterId,
          title: project.title,
          description: project.description,
          requirements: '',
          project_type_id: 'image',
          prize_micro: project.prizeMicro,
          entry_fee_micro: project.entryFeeMicro,
          platform_fee_ppm: 50_000,
          specializations: ['logo-design'],
          item_count: 1,
          style_references: [],
          color_preferences: [],
          size_requirements: '',
          tags: [],
          ai_analysis: db.json({}),
          auto_select_deadline: project.deadline,
          judging_hours: 72,
          status: 'draft',
          created_at: at,
          updated_at: at,
        })}`;
      const visibleAt = new Date(now + earlyAccessMs);
      await db.begin((tx) => announceProject(deps, tx, project, { at, visibleAt }));
      const [event] = await db<{ id: string }[]>`select id from webhook_events where project_id = ${project.id}`;
      return event!.id;
    },
    /** Writes outcomes as the sender does. */
    async attempted(eventId: string, webhookId: string, change: object = {}) {
      await db`
        insert into webhook_attempts ${db({
          event_id: eventId,
          webhook_id: webhookId,
          at: new Date(now),
          number: 1,
          outcome: 'delivered',
          status: 200,
          latency_ms: 12,
          answer: 'ok',
          ...change,
        })}`;
    },
    async retrying(eventId: string, webhookId: string, change: object = {}) {
      await db`
        insert into webhook_retries ${db({
          event_id: eventId,
          webhook_id: webhookId,
          day: new Date(now),
          lane: 'retry',
          priority: 2,
          ...change,
        })}`;
    },
    /** Ends every shard of the fan-out. */
    async fannedOut() {
      await db`update webhook_fan_outs set done_at = ${new Date(now)} where done_at is null`;
    },
    advance(ms: number) {
      now += ms;
    },
    at: (ms = 0) => new Date(now + ms),
  };
}
