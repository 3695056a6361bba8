import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { webhookOperations } from '../../contract/webhooks.ts';
import { webhookEvent } from '../../contract/webhook-events.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, type Registered } from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_WEBHOOK_TESTS_PER_HOUR: '5' } });
const { url, operatorKey, service, clock, errors } = world;
const { db } = service.deps;
const PATH = '/agents/webhooks/projects';

type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Starts a receiver on loopback, to which a development start delivers. */
async function receiver(respond: RequestListener): Promise<{ address: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close().closeAllConnections());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const good = await receiver((_, response) => response.setHeader('content-type', 'text/plain').end('thanks'));

const register = async ({ key }: Registered, webhook_url: string) =>
  await call(url, 'POST', PATH, { key, body: { webhook_url } });

async function subscriber(webhookUrl = `${good.address}/hooks`) {
  const agent = await registerAgent(url);
  const { data } = expectStatus(await register(agent, webhookUrl), 201).body;
  return { ...agent, id: data.subscription_id as string, secret: data.webhook_secret as string };
}

const hmac = (key: string, data: string | Buffer) => `sha256=${createHmac('sha256', key).update(data).digest('hex')}`;

describe('POST /agents/webhooks/projects', () => {
  it('answers 201 for the first webhook and 200 for a replacement, each with its own secret', async () => {
    const agent = await registerAgent(url);
    const made = expectStatus(await register(agent, 'https://agent.example/hooks'), 201).body.data;
    clock.offsetMs += 1000;
    const replaced = expectStatus(await register(agent, 'https://agent.example/other'), 200).body.data;
    for (const { webhook_secret } of [made, replaced]) assert.match(webhook_secret, /^[0-9a-f]{64}$/);
    assert.deepEqual([made.event_type, replaced.event_type], ['PROJECT.OPEN', 'PROJECT.OPEN']);
    assert.equal(replaced.subscription_id, made.subscription_id);
    assert.equal(replaced.created_at, made.created_at);
    assert.ok(Date.parse(replaced.updated_at) > Date.parse(made.updated_at));
    assert.notEqual(replaced.webhook_secret, made.webhook_secret);
  });

  it('refuses the 21st webhook of a host that has not accepted an event', async () => {
    const agents = await Promise.all(Array.from({ length: 20 }, () => registerAgent(url)));
    for (const agent of agents) expectStatus(await register(agent, 'https://crowded.example/hooks'), 201);
    codeIs(await register(await registerAgent(url), 'https://crowded.example:8443/'), 409, 'WEBHOOK_HOST_LIMIT');
  });

  it('refuses every URL that is not public HTTPS', async () => {
    const agent = await registerAgent(url);
    const refused = [
      '',
      'x'.repeat(3000),
      'https://agent.example:22/',
      'http://agent.example/',
      'https://10.0.0.1/',
      'https://me:pw@agent.example/',
    ];
    for (const webhookUrl of [...refused, 'https://169.254.169.254/', 'file:///etc/passwd'])
      codeIs(await register(agent, webhookUrl), 400, 'VALIDATION_ERROR', /^Validation failed: webhook_url: /);
    for (const body of [{}, { webhook_url: 7 }, { webhook_url: null }])
      codeIs(await call(url, 'POST', PATH, { key: agent.key, body }), 400, 'VALIDATION_ERROR');
    codeIs(await call(url, 'GET', PATH, { key: agent.key }), 404, 'NOT_FOUND');
  });

  it('answers UNAUTHORIZED to a missing and to a wrong key', async () => {
    codeIs(await call(url, 'POST', PATH, { body: {} }), 401, 'UNAUTHORIZED', /^Authentication required$/);
    codeIs(await call(url, 'POST', PATH, { key: 'ck_test_x', body: {} }), 401, 'UNAUTHORIZED', /^Invalid API key$/);
  });
});

describe('GET and DELETE', () => {
  it('show and delete the agent’s webhook, and the profile mentions it; neither contains the secret', async () => {
    const agent = await subscriber();
    const shown = expectStatus(await call(url, 'GET', PATH, { key: agent.key }), 200).body;
    const profile = async () => (await call(url, 'GET', '/agents/me', { key: agent.key })).body;
    assert.deepEqual((await profile()).data.webhooks, [
      { id: agent.id, url: `${good.address}/hooks`, events: ['PROJECT.OPEN'], status: 'active' },
    ]);
    assert.deepEqual(
      [shown.data.status, shown.data.disabled_reason, shown.data.failing_since, shown.data.previous_secret_until],
      ['active', null, null, null],
    );
    assert.ok(!JSON.stringify([shown, await profile()]).includes(agent.secret));
    expectStatus(await call(url, 'DELETE', PATH, { key: agent.key }), 200);
    assert.deepEqual((await profile()).data.webhooks, []);
    codeIs(await call(url, 'DELETE', PATH, { key: agent.key }), 404, 'NOT_FOUND');
  });
});

describe('POST …/test', () => {
  it('sends a valid signed event at once and reports the endpoint’s answer', async () => {
    const agent = await subscriber();
    const { data } = expectStatus(await call(url, 'POST', `${PATH}/test`, { key: agent.key }), 200).body;
    assert.deepEqual([data.delivered, data.status, data.failure, data.answer], [true, 200, null, 'thanks']);
    const [sent] = good.received.splice(0) as [Received];
    const body = JSON.parse(sent.body.toString()) as { event: string; signature: string; data: { project: object } };
    assert.deepEqual([sent.path, sent.headers['content-type'], body.event], ['/hooks', 'application/json', 'TEST']);
    assert.deepEqual(webhookEvent.parse(body), body);
    const { signature, ...rest } = body;
    assert.equal(signature, hmac(agent.secret, JSON.stringify(rest)));
    for (const name of ['service-signature', 'concours-signature'])
      assert.equal(sent.headers[name], hmac(agent.secret, sent.body));
    assert.equal(sent.headers['webhook-id'], data.event_id);
    const libraryKey = Buffer.from(agent.secret, 'hex').toString('base64');
    new Webhook(libraryKey).verify(sent.body, sent.headers as Record<string, string>);
  });

  it('also signs with the replaced secret', async () => {
    const agent = await subscriber();
    const replaced = (await register(agent, `${good.address}/hooks`)).body.data;
    good.received.length = 0;
    await call(url, 'POST', `${PATH}/test`, { key: agent.key });
    const [sent] = good.received.splice(0) as [Received];
    for (const secret of [agent.secret, replaced.webhook_secret as string])
      new Webhook(Buffer.from(secret, 'hex').toString('base64')).verify(
        sent.body,
        sent.headers as Record<string, string>,
      );
    assert.equal(sent.headers['service-signature'], hmac(replaced.webhook_secret as string, sent.body));
    // The libraries take the secret as the registration returns it.
    new Webhook(replaced.signing_secret as string).verify(sent.body, sent.headers as Record<string, string>);
  });

  it('reports every kind of failure and counts none of them', async () => {
    const redirecting = await receiver((_, response) => response.writeHead(302, { location: good.address }).end());
    const gone = await receiver((_, response) => response.writeHead(410, { 'content-type': 'text/plain' }).end('no'));
    const html = await receiver((_, response) => response.setHeader('content-type', 'text/html').end('<p>'));
    const told = async (webhookUrl: string) => {
      const agent = await subscriber(webhookUrl);
      const { data } = expectStatus(await call(url, 'POST', `${PATH}/test`, { key: agent.key }), 200).body;
      const shown = (await call(url, 'GET', PATH, { key: agent.key })).body.data;
      assert.deepEqual([shown.status, data.delivered], ['active', false]);
      return [data.status, data.failure];
    };
    good.received.length = 0;
    assert.deepEqual(await told(`${redirecting.address}/`), [302, 'redirect']);
    assert.deepEqual(await told(`${gone.address}/`), [410, 'status']);
    assert.deepEqual(await told(`${html.address}/`), [200, 'content_type']);
    assert.deepEqual(await told('http://127.0.0.1:1/'), [null, 'connection']);
    assert.deepEqual(good.received, []);
  });

  it('is limited and needs a webhook', async () => {
    const agent = await subscriber();
    for (let left = 4; left >= 0; left -= 1) {
      const answer = expectStatus(await call(url, 'POST', `${PATH}/test`, { key: agent.key }), 200);
      assert.equal(answer.headers.get('x-ratelimit-remaining'), String(left));
    }
    codeIs(await call(url, 'POST', `${PATH}/test`, { key: agent.key }), 429, 'RATE_LIMIT_EXCEEDED', /webhook tests/);
    codeIs(await call(url, 'POST', `${PATH}/test`, { key: (await registerAgent(url)).key }), 404, 'NOT_FOUND');
  });
});

describe('an opened project', () => {
  it('writes its event to the outbox once, and none while it is a draft', async () => {
    const project = await openProject(world);
    const events = await db<{ id: string; kind: string; body: string; createdAt: Date }[]>`
      select id, kind, body, created_at as "createdAt" from webhook_events where project_id = ${project.id}`;
    assert.equal(events.length, 1);
    const event = events[0]!;
    const shown = (await call(url, 'GET', `/posters/me/projects/${project.id}`, { key: project.poster.key })).body.data
      .project;
    const told = JSON.parse(event.body) as {
      event: string;
      timestamp: string;
      data: { project: Record<string, unknown> };
    };
    const signature = `sha256=${'0'.repeat(64)}`;
    assert.deepEqual(webhookEvent.parse({ ...told, signature }), { ...told, signature });
    assert.deepEqual([told.event, told.timestamp], ['PROJECT.OPEN', shown.published_at]);
    assert.deepEqual(told.data.project, {
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
      expected_value_micro: 700_000,
      requirements: shown.requirements,
      specializations: ['logo-design'],
      item_count: 1,
      size_requirements: '',
      terms_hash: shown.terms_hash,
      status: 'open',
      created_at: shown.published_at,
      poster_id: project.poster.id,
    });
    const parts = await db`select shard, due_at from webhook_fan_outs where event_id = ${event.id} order by shard`;
    assert.equal(parts.length, 10);
    expectStatus(
      await call(url, 'POST', `/posters/me/projects/${project.id}/publish`, { key: project.poster.key }),
      200,
    );
    assert.equal((await db`select 1 from webhook_events where project_id = ${project.id}`).length, 1);
  });
});

describe('deliveries', () => {
  it('are listed and replayed only by their agent', async () => {
    const agent = await subscriber();
    await openProject(world);
    await db`update webhook_fan_outs set done_at = now() where done_at is null`;
    // This agent gets no more events.
    const stranger = await subscriber();
    const [event] = await db<{ id: string }[]>`select id from webhook_events order by id desc limit 1`;
    const id = event!.id;
    await db`
      insert into webhook_attempts (event_id, webhook_id, at, number, outcome, failure, status, latency_ms, answer)
      values (${id}, ${agent.id}, ${clock.now()}, 1, 'failed', 'status', 500, 3, 'no')`;
    await db`
      insert into webhook_retries (event_id, webhook_id, day, lane, priority, retries, dead_at)
      values (${id}, ${agent.id}, (now() at time zone 'UTC')::date, 'retry', 2, 5, now())
      on conflict (day, event_id, webhook_id) do update set dead_at = now(), due_at = null`;
    const { deliveries } = expectStatus(await call(url, 'GET', `${PATH}/deliveries`, { key: agent.key }), 200).body
      .data;
    assert.equal(deliveries[0].id, id);
    const asOperator = { key: operatorKey };
    const listed = expectStatus(
      await call(url, 'GET', `/operator/webhooks/deliveries?webhook_id=${agent.id}`, asOperator),
      200,
    );
    assert.equal(listed.body.data.deliveries[0].id, id);
    const replay = (key: string, deliveryId: string) =>
      call(url, 'POST', `${PATH}/deliveries/${deliveryId}/replay`, { key });
    const missing = await replay(stranger.key, stranger.id);
    codeIs(missing, 404, 'NOT_FOUND');
    assert.deepEqual(withoutId(await replay(stranger.key, id)), withoutId(missing));
    const again = expectStatus(await replay(agent.key, id), 200).body.data;
    assert.equal(again.delivery.id, id);
    codeIs(await call(url, 'GET', `${PATH}/deliveries?cursor=x`, { key: agent.key }), 400, 'INVALID_PARAMETER');
    codeIs(await call(url, 'GET', `${PATH}/deliveries?limit=0`, { key: agent.key }), 400, 'INVALID_PARAMETER');
    codeIs(await call(url, 'GET', `/operator/webhooks/deliveries?state=lost`, asOperator), 400, 'INVALID_PARAMETER');
    const { key } = await registerAgent(url);
    codeIs(await call(url, 'GET', `${PATH}/deliveries`, { key }), 404, 'NOT_FOUND');
    codeIs(await call(url, 'POST', `${PATH}/test`, { key }), 404, 'NOT_FOUND');
  });
});

describe('the operator', () => {
  it('disables a webhook: its agent sees it and cannot replay deliveries before a new registration', async () => {
    const agent = await subscriber();
    await openProject(world);
    const [event] = await db<{ id: string }[]>`select id from webhook_events order by id desc limit 1`;
    const order = { key: operatorKey, body: { reason: 'Its network asked' } };
    const disable = (id: string) => call(url, 'POST', `/operator/webhooks/${id}/disable`, order);
    const { webhook } = expectStatus(await disable(agent.id), 200).body.data;
    codeIs(await disable(event!.id), 404, 'NOT_FOUND');
    const { data } = (await call(url, 'GET', PATH, { key: agent.key })).body;
    for (const { status, disabled_reason } of [webhook, data])
      assert.deepEqual([status, disabled_reason], ['disabled', 'the operator: Its network asked']);
    await db`
      insert into webhook_attempts (event_id, webhook_id, at, number, outcome, status, latency_ms)
      values (${event!.id}, ${agent.id}, ${clock.now()}, 1, 'delivered', 200, 3)`;
    const path = `${PATH}/deliveries/${event!.id}/replay`;
    codeIs(await call(url, 'POST', path, { key: agent.key }), 409, 'WEBHOOK_DISABLED');
    assert.equal((await call(url, 'GET', '/agents/me', { key: agent.key })).body.data.webhooks[0].status, 'disabled');
    expectStatus(await register(agent, `${good.address}/hooks`), 200);
    expectStatus(await call(url, 'POST', path, { key: agent.key }), 200);
  });
});

it('the tests received every code that these operations list, and the service logged no errors', () => {
  // test/webhooks/sent-request.test.ts reads single deliveries.
  const here = Object.keys(webhookOperations).filter((id) => id !== 'getWebhookDelivery');
  assert.deepEqual(notSeen(...here), []);
  assert.deepEqual(errors, []);
});
