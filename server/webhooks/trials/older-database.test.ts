import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { migrate } from '../../db/migrate.ts';

const { db } = await testDatabase({ last: '0013_judging.sql' });
const now = new Date();
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

async function webhook(url: string, outcome: 'delivered' | 'failed', attemptedAt: Date): Promise<string> {
  const [agentId, id, eventId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
  await db`
    insert into agents (id, name, description, specializations, settings, tier, created_at, last_active_at)
    values (${agentId}, 'A', 'An agent of a test.', '{logo-design}', '{}', 'starter', ${now}, ${now})`;
  await db`
    insert into webhooks (id, agent_id, url, secret, shard, created_at, updated_at)
    values (${id}, ${agentId}, ${url}, 'x', 2, ${before(60)}, ${before(30)})`;
  await db`insert into webhook_events (id, kind, body, created_at) values (${eventId}, 'TEST', '', ${before(50)})`;
  await db`
    insert into webhook_attempts (event_id, webhook_id, at, number, outcome, latency_ms)
    values (${eventId}, ${id}, ${attemptedAt}, 1, ${outcome}, 1)`;
  await db`
    insert into webhook_retries (event_id, webhook_id, day, lane, priority, due_at)
    values (${eventId}, ${id}, ${before(50)}, 'retry', 2, ${now})`;
  return id;
}

it('the endpoints of an older database are trusted if their URL has accepted an event', async () => {
  const trusted = await webhook('https://Good.Example:8443/hooks', 'delivered', before(10));
  const failed = await webhook('https://bad.example./hooks', 'failed', before(10));
  const replaced = await webhook('https://[2001:db8::1]/hooks', 'delivered', before(40));
  await migrate(db);
  const rows = await db<{ id: string; host: string; verified: boolean; scheduled: boolean; due: boolean }[]>`
    select w.id, host, verified_at is not null as verified, trial_at is not null as scheduled, r.due_at is not null as due
    from webhooks w join webhook_retries r on r.webhook_id = w.id`;
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  assert.deepEqual(found.get(trusted), { host: 'good.example', verified: true, scheduled: false, due: true });
  assert.deepEqual(found.get(failed), { host: 'bad.example', verified: false, scheduled: true, due: false });
  assert.deepEqual(found.get(replaced), { host: '[2001:db8::1]', verified: false, scheduled: true, due: false });
});
