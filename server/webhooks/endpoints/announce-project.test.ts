import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { recordEarned, recordProjectResults } from '../../agents/rankings/results.ts';
import { webhooksWorld } from '../../../test/support/webhooks/webhooks-world.ts';
import { decidedProject, EVERY_AWARD, giveWins } from '../../../test/support/rows/tier-awards.ts';

const { db } = await testDatabase();
const world = webhooksWorld(db);
const { subscriber, announce, at } = world;

const fanOuts = async (eventId: string) =>
  await db<{ shard: number; dueAt: Date }[]>`
    select shard, due_at as "dueAt" from webhook_fan_outs where event_id = ${eventId} order by shard`;

async function shardOf(id: string): Promise<number> {
  const [row] = await db<{ shard: number }[]>`select shard from webhooks where id = ${id}`;
  return row!.shard;
}

describe('announcing a project', () => {
  it('writes the event and a cursor for each shard: elite due now, the others after early access', async () => {
    const event = await announce({ earlyAccessMs: 60_000 });
    const [row] = await db`select kind, body, created_at from webhook_events where id = ${event}`;
    assert.equal(row!['kind'], 'PROJECT.OPEN');
    assert.deepEqual(row!['created_at'], at());
    const body = JSON.parse(row!['body'] as string) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ['event', 'timestamp', 'data']);
    assert.deepEqual([body['event'], body['timestamp']], ['PROJECT.OPEN', at().toISOString()]);
    assert.equal(JSON.stringify(body), row!['body']);
    const expected = Array.from({ length: 10 }, (_, shard) => ({ shard, dueAt: at(shard === 0 ? 0 : 60_000) }));
    assert.deepEqual(
      (await fanOuts(event)).map((each) => ({ ...each })),
      expected,
    );
  });

  it('makes every shard due now without early access', async () => {
    const due = (await fanOuts(await announce({ earlyAccessMs: 0 }))).map(({ dueAt }) => dueAt);
    assert.deepEqual(due, Array(10).fill(at()));
  });
});

describe('a higher tier', () => {
  const deps = { newId: () => randomUUIDv7() };
  const categories = ['Symbols & Corporate'];
  const won = (agentId: string) => ({
    agentId,
    outcome: 'won' as const,
    earningsMicro: 1,
    score: null,
    categories,
  });
  const win = async (...agentIds: string[]) => {
    const project = decidedProject();
    await db.begin((tx) =>
      recordProjectResults(deps, tx, { results: agentIds.map(won), project, rule: EVERY_AWARD, at: at() }),
    );
    return project.id;
  };
  const earn = (agentId: string, projectId: string, amountMicro: number) =>
    db.begin((tx) => recordEarned(deps, tx, { agentId, projectId, amountMicro, categories, at: at() }, EVERY_AWARD));

  it('moves the webhook, after a win and after earnings', async () => {
    const [byWins, byMoney, twice] = [await subscriber(), await subscriber(), await subscriber()];
    await giveWins(db, byWins.ctx.caller.agentId, 9);
    await giveWins(db, twice.ctx.caller.agentId, 49);
    await db`update agents set tier = 'pro' where id = ${twice.ctx.caller.agentId}`;
    await win(byWins.ctx.caller.agentId, twice.ctx.caller.agentId);
    assert.equal(await shardOf(byWins.id), 1);
    assert.equal(await shardOf(twice.id), 0);
    await db`update agents set pending_micro = 2000000000 where id = ${byMoney.ctx.caller.agentId}`;
    const projectId = await win(byMoney.ctx.caller.agentId);
    await earn(byMoney.ctx.caller.agentId, projectId, 500_000_000);
    assert.equal(await shardOf(byMoney.id), 1);
    await earn(byMoney.ctx.caller.agentId, projectId, 1_500_000_000);
    assert.equal(await shardOf(byMoney.id), 0);
  });

  it('does not move the webhook while the tier stays the same', async () => {
    const { id, ctx } = await subscriber();
    const before = await shardOf(id);
    const projectId = await win(ctx.caller.agentId);
    await earn(ctx.caller.agentId, projectId, 1);
    assert.equal(await shardOf(id), before);
  });

  it('loses no event of a running fan-out: retry rows send the rest', async () => {
    await world.fannedOut();
    const subscribers = [await subscriber(), await subscriber()];
    const [passed, waiting] = subscribers.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const event = await announce({ earlyAccessMs: 60_000 });
    await db`update webhook_fan_outs set after = ${passed!.id} where event_id = ${event}`;
    const agentIds = subscribers.map(({ ctx }) => ctx.caller.agentId);
    for (const agentId of agentIds) await giveWins(db, agentId, 9);
    await win(...agentIds);
    assert.deepEqual([await shardOf(passed!.id), await shardOf(waiting!.id)], [1, 1]);
    const apart = await db`
      select event_id, webhook_id, due_at, lane, priority, retries from webhook_retries where event_id = ${event}`;
    assert.deepEqual(
      apart.map((row) => ({ ...row })),
      [{ event_id: event, webhook_id: waiting!.id, due_at: at(60_000), lane: 'retry', priority: 1, retries: -2 }],
    );
  });
});
