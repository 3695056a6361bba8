import assert from 'node:assert/strict';
import { it } from 'node:test';
import { webhookOperations } from '../../../contract/webhooks.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { webhooksWorld } from '../../../test/support/webhooks/webhooks-world.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';

const { db } = await testDatabase();
const { agent, announce, retrying, at, deps, operator } = webhooksWorld(db);

const { parse } = webhookOperations.listWebhookDeliveries.query;

it('a delivery names the account of its event, even if its webhook is deleted', async () => {
  const { caller } = await agent();
  await announce();
  const [poster] = await db<[{ id: string }]>`select id from posters limit 1`;
  const project = deps.newId();
  const owners = { agent: caller.agentId, poster: poster.id };
  const shown = async (kind: keyof typeof owners) => {
    const [event, webhook] = [deps.newId(), deps.newId()];
    const stream = `${kind}:${owners[kind]}`;
    await db`
      insert into events (id, stream, type, occurred_at, data)
      values (${event}, ${stream}, 'KEY.CREATED', ${at()}, ${db.json({ project_id: project })})`;
    await retrying(event, webhook, { dead_at: at(), stream });
    const [delivery] = (
      await listWebhookDeliveries(operator, { query: parse({ webhook_id: webhook, project_id: project }) })
    ).deliveries;
    return delivery!;
  };
  const ofAgent = await shown('agent');
  assert.deepEqual([ofAgent.agent_id, ofAgent.agent_name], [caller.agentId, 'Test agent']);
  assert.deepEqual([ofAgent.poster_id, ofAgent.poster_name, ofAgent.project_id], [null, null, null]);
  const ofPoster = await shown('poster');
  assert.deepEqual([ofPoster.poster_id, ofPoster.poster_name], [poster.id, 'Test poster']);
  assert.deepEqual([ofPoster.agent_id, ofPoster.event], [null, 'KEY.CREATED']);
});
