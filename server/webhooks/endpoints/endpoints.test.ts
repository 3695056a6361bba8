import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { DomainError, type ErrorCode } from '../../../contract/basics/errors.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { OtherStatus } from '../../serve.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { disableWebhook } from './disable-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { registerWebhook } from './register-webhook.ts';
import { openSecrets, type SealedSecrets } from '../delivery/secrets.ts';
import { URL_ONE, webhooksWorld } from '../../../test/support/webhooks/webhooks-world.ts';
import { checkWebhookUrl } from './webhook-url.ts';
import { agentEventData } from '../../../contract/events/agent-events.ts';
import { marketEventData } from '../../../contract/events/market-events.ts';
import { posterEventData } from '../../../contract/events/poster-events.ts';
import { sampleData } from '../accounts/sample-event.ts';

const { db } = await testDatabase();
const world = webhooksWorld(db);
const { agent, subscriber, operator, deps } = world;
const DAY_MS = 86_400_000;

async function refused(work: Promise<unknown>, code: ErrorCode, message?: RegExp): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof DomainError, String(error));
    assert.equal(error.code, code);
    if (message) assert.match(error.message, message);
    return true;
  });
}

async function replaced(ctx: Awaited<ReturnType<typeof agent>>, webhook_url = URL_ONE) {
  const answer = await registerWebhook(ctx, { body: { webhook_url } });
  assert.ok(answer instanceof OtherStatus);
  return answer.data;
}

async function signing(id: string): Promise<{ current: string; previous: string | null }> {
  const [row] = await db<SealedSecrets[]>`
    select id, secret, previous_secret as "previousSecret", previous_until as "previousUntil" from webhooks where id = ${id}`;
  const { current, previous } = openSecrets(deps.webhookSecrets, row!, deps.clock.now());
  return { current: current.toString('hex'), previous: previous?.toString('hex') ?? null };
}

describe('registering a webhook', () => {
  it('creates it and stores its secret encrypted', async () => {
    const ctx = await agent();
    const answer = await registerWebhook(ctx, { body: { webhook_url: URL_ONE } });
    assert.ok(!(answer instanceof OtherStatus));
    const { message, subscription_id: id, webhook_secret: secret, signing_secret, ...rest } = answer;
    assert.match(message, /registered/);
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.equal(signing_secret, `whsec_${Buffer.from(secret, 'hex').toString('base64')}`);
    assert.deepEqual(rest, {
      webhook_url: URL_ONE,
      event_type: 'PROJECT.OPEN',
      events: ['PROJECT.OPEN'],
      created_at: world.at(),
      updated_at: world.at(),
    });
    assert.deepEqual(await signing(id), { current: secret, previous: null });
    const [row] = await db<{ sealed: string; text: string }[]>`
      select encode(secret, 'hex') as sealed, w::text as text from webhooks w where id = ${id}`;
    assert.ok(!row!.sealed.includes(secret) && !row!.text.includes(secret));
  });

  it('again replaces the URL and the secret, and the old secret signs for one more day', async () => {
    const { ctx, id, secret } = await subscriber();
    world.advance(1000);
    const second = await replaced(ctx, 'https://agent.example:8443/other');
    assert.deepEqual([second.subscription_id, second.webhook_url], [id, 'https://agent.example:8443/other']);
    assert.notEqual(second.webhook_secret, secret);
    assert.equal(second.updated_at.getTime() - second.created_at.getTime(), 1000);
    assert.deepEqual(await signing(id), { current: second.webhook_secret, previous: secret });
    assert.deepEqual((await getWebhook(ctx, {})).previous_secret_until, world.at(DAY_MS));
    world.advance(DAY_MS);
    assert.deepEqual(await signing(id), { current: second.webhook_secret, previous: null });
    assert.equal((await getWebhook(ctx, {})).previous_secret_until, null);
    const third = await replaced(ctx);
    assert.deepEqual(await signing(id), { current: third.webhook_secret, previous: second.webhook_secret });
  });

  it('ten times concurrently creates one webhook', async () => {
    const ctx = await agent();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => registerWebhook(ctx, { body: { webhook_url: URL_ONE } })),
    );
    const made = answers.filter((answer) => !(answer instanceof OtherStatus));
    assert.equal(made.length, 1);
    const ids = answers.map((answer) => (answer instanceof OtherStatus ? answer.data : answer).subscription_id);
    assert.equal(new Set(ids).size, 1);
    const secrets = answers.map((answer) => (answer instanceof OtherStatus ? answer.data : answer).webhook_secret);
    assert.ok(secrets.includes((await signing(ids[0]!)).current));
  });

  it('rejects an invalid URL and changes nothing', async () => {
    const { ctx, id, secret } = await subscriber();
    for (const url of [
      'http://agent.example/',
      'https://127.0.0.1/',
      'https://me@agent.example/',
      'https://agent.example:22/',
      'agent',
    ])
      await refused(
        registerWebhook(ctx, { body: { webhook_url: url } }),
        'VALIDATION_ERROR',
        /^Validation failed: webhook_url: /,
      );
    assert.deepEqual(await signing(id), { current: secret, previous: null });
  });
});

describe('deleting a webhook', () => {
  it('ends its waiting deliveries; the next registration gets another id and secret', async () => {
    const { ctx, id, secret } = await subscriber();
    const event = await world.announce();
    await world.retrying(event, id, { due_at: world.at(), token: id, lease_until: world.at(5000) });
    assert.equal((await deleteWebhook(ctx, {})).subscription_id, id);
    await refused(getWebhook(ctx, {}), 'NOT_FOUND');
    const [retry] = await db`select due_at, token, dead_at from webhook_retries where webhook_id = ${id}`;
    assert.deepEqual({ ...retry }, { due_at: null, token: null, dead_at: world.at() });
    const again = await registerWebhook(ctx, { body: { webhook_url: URL_ONE } });
    assert.ok(!(again instanceof OtherStatus) && again.subscription_id !== id && again.webhook_secret !== secret);
  });
});

describe('the operator', () => {
  it('disables a webhook once, and the audit trail has one line', async () => {
    const { ctx, id } = await subscriber();
    const event = await world.announce();
    await world.retrying(event, id, { due_at: world.at() });
    const disable = (reason: string) => disableWebhook(operator, { params: { webhook_id: id }, body: { reason } });
    const { webhook } = await disable('Floods its neighbours');
    assert.deepEqual(
      [webhook.subscription_id, webhook.agent_id, webhook.status, webhook.disabled_reason],
      [id, ctx.caller.agentId, 'disabled', 'the operator: Floods its neighbours'],
    );
    assert.equal((await disable('Another reason')).webhook.disabled_reason, 'the operator: Floods its neighbours');
    const lines = await db`select actor, action, reason, details from audit_trail where subject = ${`webhook:${id}`}`;
    assert.deepEqual(
      lines.map((line) => ({ ...line })),
      [
        {
          actor: 'operator',
          action: 'webhook.disable',
          reason: 'Floods its neighbours',
          details: { agent_id: ctx.caller.agentId, origin: 'https://agent.example' },
        },
      ],
    );
    const [retry] = await db`select due_at from webhook_retries where webhook_id = ${id}`;
    assert.equal(retry!['due_at'], null);
  });
});

describe('announcing a project', () => {
  it('writes the event, and sends it to elite agents now and to the others after early access', async () => {
    const event = await world.announce({ earlyAccessMs: 60_000 });
    const [row] = await db`select kind, body, created_at from webhook_events where id = ${event}`;
    const body = JSON.parse(row!['body'] as string) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ['event', 'timestamp', 'data']);
    assert.deepEqual([body['event'], body['timestamp']], ['PROJECT.OPEN', world.at().toISOString()]);
    const fanOuts = await db<{ shard: number; dueAt: Date }[]>`
      select shard, due_at as "dueAt" from webhook_fan_outs where event_id = ${event} order by shard`;
    for (const { shard, dueAt } of fanOuts) assert.deepEqual(dueAt, world.at(shard === 0 ? 0 : 60_000));
    const elite = await subscriber('elite');
    const [{ shard }] = await db<[{ shard: number }]>`select shard from webhooks where id = ${elite.id}`;
    assert.equal(shard, 0);
  });
});

const production = (url: string) => checkWebhookUrl(url, { development: false });
const development = (url: string) => checkWebhookUrl(url, { development: true });

const allowed = [
  'https://agent.example/hooks',
  'https://agent.example:443/',
  'https://agent.example:8443/hooks?token=a%20b#part',
  'https://bücher.example/',
  'https://8.8.8.8/hooks',
  'https://[2606:4700::1111]/hooks',
  'https://localhost.example/',
  'https://agent.example./',
];

const refusedUrls: Record<string, string[]> = {
  'an HTTPS URL': [
    'http://agent.example/',
    'ftp://agent.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'wss://agent.example/',
  ],
  'a URL': ['agent.example/hooks', 'https://', 'https://[::1', 'https://a..b:99999/', '//agent.example'],
  'a URL without spaces and control characters': [
    ' https://agent.example/',
    'https://agent.example/ ',
    'https://agent.exa\tmple/',
    'https://agent.example/\n',
    'https://agent.example/\u0000',
    'https://agent.example/\ud800',
  ],
  'a URL without user and password': [
    'https://me@agent.example/',
    'https://me:pw@agent.example/',
    'https://:pw@agent.example/',
  ],
  'a URL of port 443 or 8443': [
    'https://agent.example:80/',
    'https://agent.example:22/',
    'https://agent.example:4430/',
    'https://8.8.8.8:5432/',
  ],
  'a URL of a host on the public internet': [
    'https://intranet/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'https://0xa9fea9fe/',
    'https://[fd00::1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
  ],
  'at most 2048 characters': [`https://agent.example/${'a'.repeat(2030)}`],
};

const loopback = [
  'localhost',
  'LOCALHOST',
  'a.localhost',
  'localhost.',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
];

describe('the URL of a webhook', () => {
  it('is an HTTPS URL of a public host, and a refusal says why', () => {
    for (const url of allowed) assert.deepEqual([production(url), development(url)], [null, null], url);
    for (const [why, urls] of Object.entries(refusedUrls))
      for (const url of urls) assert.deepEqual([production(url), development(url)], [why, why], url);
  });

  it('must not be a loopback address or name, in any spelling, except in development', () => {
    for (const host of loopback) {
      assert.equal(production(`https://${host}/`), 'a URL of a host on the public internet', host);
      for (const url of [`https://${host}/`, `http://${host}/`, `http://${host}:8080/hooks`, `https://${host}:9443/`])
        assert.equal(development(url), null, url);
      assert.equal(development(`http://me@${host}/`), 'a URL without user and password');
      assert.equal(development(`ftp://${host}/`), 'an HTTPS URL');
    }
    assert.equal(production('https://[::ffff:127.0.0.1]/'), 'a URL of a host on the public internet');
    assert.equal(production('https://0.0.0.0/'), 'a URL of a host on the public internet');
  });
});

for (const [kind, table] of [
  ['agent', { ...marketEventData, ...agentEventData }],
  ['poster', posterEventData],
] as const)
  it(`each type of ${kind}s has a sample that is one of its events, member by member`, () => {
    for (const [type, schema] of Object.entries<z.ZodObject>(table)) {
      const sample = sampleData(kind, type);
      assert.deepEqual(z.parse(schema, sample), sample, type);
    }
  });

it('a type of other accounts has no sample', () => {
  assert.equal(sampleData('agent', 'ENTRY.CONFIRMED'), undefined);
  assert.equal(sampleData('poster', 'toString'), undefined);
});
