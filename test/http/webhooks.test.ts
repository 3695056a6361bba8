import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookEvent } from '../../contract/webhook-events.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  expectStatus,
  openProject,
  registerAgent,
  type Registered,
  specifiedWebhook,
} from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { localReceiver } from '../support/webhooks/local-receiver.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The webhook for new projects. It tells of every project of the market, so these tests need their own market.

const world = await startWorld({ env: SHARED_SETTINGS.env ?? {} });
const { url, operatorKey } = world;
const PATH = '/agents/webhooks/projects';

const good = await localReceiver();
type Received = (typeof good.received)[number];

type Subscriber = Registered & { webhookId: string; secret: string };

const register = ({ key }: Registered, webhook_url: string) => call(url, 'POST', PATH, { key, body: { webhook_url } });

async function subscriber(webhookUrl = `${good.address}/hooks`): Promise<Subscriber> {
  const agent = await registerAgent(url);
  const { data } = expectStatus(await register(agent, webhookUrl), 201).body;
  return { ...agent, webhookId: data.subscription_id, secret: data.webhook_secret };
}

const ask = ({ key, webhookId }: Subscriber, method: string, path = '') =>
  call(url, method, `/agents/me/webhooks/${webhookId}${path}`, { key });
const shownOf = ({ key }: Registered) => specifiedWebhook(url, key);
const test = async (agent: Subscriber) => expectStatus(await ask(agent, 'POST', '/test'), 200).body.data;
const profileOf = async ({ key }: Registered) => (await call(url, 'GET', '/agents/me', { key })).body.data.webhooks;
const hmac = (key: string, data: string) => `sha256=${createHmac('sha256', key).update(data).digest('hex')}`;
const verify = (secret: string, { raw, headers }: Received) =>
  new Webhook(Buffer.from(secret, 'hex').toString('base64')).verify(raw, headers as Record<string, string>);

describe('the webhook of an agent', () => {
  it('is shown, also in the profile, without its secret, and deleted', async () => {
    const agent = await subscriber();
    const shown = await shownOf(agent);
    const change = { key: agent.key, body: { types: ['SUBMISSION.WON'] } };
    const changed = await call(url, 'PATCH', `/agents/me/webhooks/${agent.webhookId}`, change);
    codeIs(changed, 400, 'VALIDATION_ERROR', /^Validation failed: types: fixed/);
    const webhook = { id: agent.webhookId, url: `${good.address}/hooks`, events: ['PROJECT.OPEN'], status: 'active' };
    assert.deepEqual(await profileOf(agent), [webhook]);
    assert.deepEqual(
      [shown.specified, shown.status, shown.disabled_reason, shown.failing_since, shown.previous_secret_until],
      [true, 'active', null, null, null],
    );
    assert.ok(!JSON.stringify(shown).includes(agent.secret));
    expectStatus(await ask(agent, 'DELETE'), 200);
    assert.deepEqual(await profileOf(agent), []);
    codeIs(await ask(agent, 'DELETE'), 404, 'NOT_FOUND');
  });
});

describe('POST …/test', () => {
  it('sends an event at once, signed with the secret and the one before, and reports the answer', async () => {
    const agent = await subscriber();
    const replaced = (await register(agent, `${good.address}/hooks`)).body.data;
    good.received.length = 0;
    const told = await test(agent);
    assert.deepEqual([told.delivered, told.status, told.failure, told.answer], [true, 200, null, 'thanks']);
    const [sent] = good.received.splice(0) as [Received];
    const body = JSON.parse(sent.raw) as { event: string; signature: string };
    assert.deepEqual([sent.path, sent.headers['content-type'], body.event], ['/hooks', 'application/json', 'TEST']);
    assert.deepEqual(webhookEvent.parse(body), body);
    const { signature, ...rest } = body;
    assert.equal(signature, hmac(replaced.webhook_secret, JSON.stringify(rest)));
    for (const name of ['service-signature', 'concours-signature'])
      assert.equal(sent.headers[name], hmac(replaced.webhook_secret, sent.raw));
    assert.equal(sent.headers['webhook-id'], told.event_id);
    for (const secret of [agent.secret, replaced.webhook_secret]) verify(secret, sent);
    // The libraries take the secret as the registration returns it.
    new Webhook(replaced.signing_secret as string).verify(sent.raw, sent.headers as Record<string, string>);
  });

  it('reports a failure and does not count it', async () => {
    const agent = await subscriber(`${good.address}/410`);
    const told = await test(agent);
    assert.deepEqual([told.delivered, told.status, told.failure], [false, 410, 'status']);
    assert.equal((await shownOf(agent)).status, 'active');
  });
});

type Delivery = {
  id: string;
  state: string;
  attempts: { number: number; failure: string | null }[];
};

const deliveryOf = (agent: Subscriber, projectId: string, state: string): Promise<Delivery> =>
  until(`it is ${state}`, async () => {
    const path = `/operator/webhooks/deliveries?webhook_id=${agent.webhookId}&project_id=${projectId}`;
    const [found] = expectStatus(await call(url, 'GET', path, { key: operatorKey }), 200).body.data.deliveries;
    if (!found) return false;
    const { deliveries } = expectStatus(await ask(agent, 'GET', '/deliveries'), 200).body.data;
    const delivery = (deliveries as Delivery[]).find(({ id }) => id === found.id);
    return delivery?.state === state && delivery;
  });
const replay = (agent: Subscriber, id: string) => ask(agent, 'POST', `/deliveries/${id}/replay`);
describe('the event of an opened project', () => {
  it('reaches its subscriber with the project, and again under the same id after a replay', async () => {
    const endpoint = await localReceiver();
    const agent = await subscriber(endpoint.address);
    const project = await openProject(world);
    const { id, attempts } = await deliveryOf(agent, project.id, 'delivered');
    assert.equal(attempts.length, 1);
    // This agent registers too late for the event.
    const stranger = await subscriber();
    const unknown = await replay(stranger, stranger.id);
    codeIs(unknown, 404, 'NOT_FOUND');
    assert.deepEqual(withoutId(await replay(stranger, id)), withoutId(unknown));
    assert.equal(expectStatus(await replay(agent, id), 200).body.data.delivery.state, 'retrying');
    await until('it was sent again', async () => endpoint.received.length === 2);
    const path = `/posters/me/projects/${project.id}`;
    const shown = (await call(url, 'GET', path, { key: project.poster.key })).body.data.project;
    for (const sent of endpoint.received) {
      assert.equal(sent.headers['webhook-id'], id);
      verify(agent.secret, sent);
      const event = JSON.parse(sent.raw) as { event: string; data: { project: Record<string, unknown> } };
      assert.deepEqual(webhookEvent.parse(event), event);
      const { terms_hash, requirements, expected_value_micro, ...told } = event.data.project;
      assert.deepEqual(
        [event.event, terms_hash, requirements, expected_value_micro],
        ['PROJECT.OPEN', shown.terms_hash, shown.requirements, 700_000],
      );
      assert.deepEqual(told, {
        id: project.id,
        title: shown.title,
        description: shown.description,
        prize_amount: 1,
        prize_amount_micro: 1_000_000,
        entry_fee: 0.25,
        entry_fee_micro: 250_000,
        winner_receives: 0.95,
        winner_receives_micro: 950_000,
        project_type_id: 'image',
        auto_select_deadline: shown.auto_select_deadline,
        total_submissions: 0,
        max_entries: null,
        places_left: null,
        specializations: ['logo-design'],
        item_count: 1,
        size_requirements: '',
        status: 'open',
        created_at: shown.published_at,
        poster_id: project.poster.id,
      });
    }
  });
});

it('the lists refuse unknown parameters', async () => {
  const agent = await subscriber();
  for (const query of ['cursor=x', 'limit=0'])
    codeIs(await ask(agent, 'GET', `/deliveries?${query}`), 400, 'INVALID_PARAMETER');
  const path = '/operator/webhooks/deliveries?state=lost';
  codeIs(await call(url, 'GET', path, { key: operatorKey }), 400, 'INVALID_PARAMETER');
});
