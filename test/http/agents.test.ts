import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import {
  confirm,
  createIntent,
  openProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, service, errors } = world;
const { db } = service.deps;

const me = (key: string) => call(url, 'GET', '/agents/me', { key });
const valid = {
  agent_name: '  Ada  ',
  description: 'An agent that draws lighthouses at dusk.',
  specializations: ['logo_design', 'logo-design', 'brand-identity'],
  model_info: { model_type: 'diffusion', version: '3', constructor: { nested: [1, null] } },
};

describe('POST /agents/create', () => {
  it('registers an agent: 201, a working key, and a picture', async () => {
    const { status, body, headers } = await call(url, 'POST', '/agents/create', { body: valid });
    assert.equal(status, 201);
    const { agentId, apiKey, avatar_url, ...rest } = body.data;
    assert.deepEqual(Object.keys(rest), ['message', 'terms_url', 'terms_version']);
    assert.match(agentId, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.match(apiKey, /^ck_test_[0-9A-Za-z]{22}_[0-9A-Za-z]{49}$/);
    assert.equal(headers.get('x-ratelimit-limit'), '10');
    const { agent } = (await me(apiKey)).body.data;
    assert.deepEqual(
      [agent.id, agent.name, agent.specializations],
      [agentId, 'Ada', ['logo-design', 'brand-identity']],
    );

    const avatar = await fetch(avatar_url);
    assert.deepEqual([avatar.status, avatar.headers.get('content-type')], [200, 'image/svg+xml']);
    assert.match(avatar.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.match(await avatar.text(), /^<svg/);
  });

  it('names every failing field at once, also unknown specializations, and stores nothing', async () => {
    const before = await db`select count(*) from agents`;
    const bad = {
      agent_name: ' a ',
      description: 'too short',
      specializations: [],
      model_info: 7,
      wallet_address: '0x1',
    };
    const { status, body } = await call(url, 'POST', '/agents/create', { body: bad });
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    const fields = ['agent_name', 'description', 'specializations', 'model_info', 'wallet_address'];
    assert.deepEqual(
      body.error.details.map(({ field }: { field: string }) => field),
      fields,
    );
    for (const field of fields) assert.match(body.error.message, new RegExp(`(: |; )${field}: `));
    const unknown = await call(url, 'POST', '/agents/create', {
      body: { ...valid, specializations: ['logo-design', 'time-travel'] },
    });
    assert.match(unknown.body.error.message, /^Validation failed: specializations: unknown or retired: time-travel/);
    const [{ message }] = unknown.body.error.details;
    const catalog = await call(url, 'GET', '/specializations');
    const ids = catalog.body.data.specializations.map(({ id }: { id: string }) => id);
    assert.ok(message.endsWith(`GET /specializations lists the ids, without a key: ${ids.join(', ')}`), message);
    assert.doesNotMatch(
      JSON.stringify(await (await fetch(`${url}/api/v1/openapi.json`)).json()),
      /`GET \/agents\/spec/,
    );
    const many = await call(url, 'POST', '/agents/create', {
      body: { ...valid, specializations: ['a', 'b', 'c', 'd', 'e', 'f'] },
    });
    assert.match(many.body.error.message, /1 to 5/);
    const huge = await call(url, 'POST', '/agents/create', {
      body: { ...valid, model_info: { text: 'ä'.repeat(2048) } },
    });
    assert.match(huge.body.error.message, /model_info: at most 4 KB/);
    assert.deepEqual(await db`select count(*) from agents`, before);
  });

  it('stores hostile text as text', async () => {
    const agent_name = `</script><img src=x onerror=alert(1)> ' ; drop table agents; --`;
    const { key } = await registerAgent(url, { agent_name });
    const answer = await me(key);
    assert.equal(answer.body.data.agent.name, agent_name);
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
  });
});

describe('GET /agents/me', () => {
  it('has every field of the specification', async () => {
    const wallet = newPayer().address;
    await fund(url, wallet, 3);
    const { id, key } = await registerAgent(url, { wallet_address: wallet });
    const { agent, wallet: shown, webhooks, ...rest } = (await me(key)).body.data;
    assert.deepEqual([Object.keys(rest), webhooks], [['quota', 'budget', 'tier_progress'], []]);
    const { createdAt, lastActive, settings, specializations, ...figures } = agent;
    assert.deepEqual(figures, {
      id,
      name: 'Test agent',
      description: 'An agent that enters competitions to test the service.',
      status: 'active',
      statusReason: null,
      statusUntil: null,
      tier: 'starter',
      model_info: null,
      avatar_url: `${url}/api/v1/avatars/${id}`,
      analytics: {
        totalSubmissions: 0,
        totalWins: 0,
        winRate: 0,
        totalEarnings: 0,
        averageScore: 0,
        totalProjects: 0,
        successStreak: 0,
        longestStreak: 0,
      },
      rankings: { overall: 1, category: {}, percentile: 0 },
      recentActivity: {
        last7Days: { submissions: 0, wins: 0, earnings: 0 },
        last30Days: { submissions: 0, wins: 0, earnings: 0 },
      },
    });
    for (const time of [createdAt, lastActive]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(Object.keys(settings), [
      'autoParticipate',
      'maxConcurrentProjects',
      'minBudget',
      'maxBudget',
      'preferredCategories',
      'workingHours',
      'filterWebhooks',
    ]);
    assert.deepEqual(Object.keys(settings.workingHours), ['timezone', 'start', 'end', 'weekends']);
    assert.deepEqual(specializations, ['logo-design']);
    assert.deepEqual(shown, {
      address: wallet,
      linked: false,
      proven: false,
      pending: null,
      balance: 3,
      balance_stale: false,
      currency: 'USDC',
      pendingEarnings: 0,
      minBalance: 1,
    });
  });

  it('counts intents and confirmed entries, and links the wallet that paid', async () => {
    const { key } = await registerAgent(url);
    const project = await openProject(world);
    const intent = await createIntent(url, key, project.id);
    assert.equal((await me(key)).body.data.agent.analytics.totalProjects, 1);
    const [picture, payer] = [await testPicture(), newPayer()];
    await fund(url, payer.address, 1);
    const upload = await requestUpload(url, {
      key,
      projectId: project.id,
      submissionId: intent.id,
      sizeBytes: picture.length,
      fetch: payer.pay,
    });
    await putPicture(upload.body.data.uploadUrl, picture);
    assert.equal((await confirm(url, key, project.id, intent.id)).status, 200);
    const { agent, wallet } = (await me(key)).body.data;
    assert.deepEqual(
      [agent.analytics.totalSubmissions, agent.analytics.totalProjects, agent.recentActivity.last7Days.submissions],
      [1, 1, 1],
    );
    const { address, linked, proven, balance } = wallet;
    assert.deepEqual(
      { address, linked, proven, balance },
      { address: payer.address, linked: true, proven: false, balance: 0.75 },
    );
  });

  it('answers AGENT_NOT_FOUND after the agent is deleted, although its key is cached', async () => {
    const { id, key } = await registerAgent(url);
    await me(key);
    await db`delete from agent_keys where agent_id = ${id}`;
    await db`delete from agents where id = ${id}`;
    const { status, body } = await me(key);
    assert.deepEqual([status, body.error.code], [404, 'AGENT_NOT_FOUND']);
  });
});

describe('GET /avatars/{agent_id}', () => {
  it('is public, cacheable, and exists only for agents', async () => {
    const { id } = await registerAgent(url);
    const one = await call(url, 'GET', `/avatars/${id}`);
    assert.equal(one.headers.get('cache-control'), 'public, max-age=86400');
    assert.deepEqual((await call(url, 'GET', `/avatars/${id.toUpperCase()}`)).body, one.body);
    const poster = await registerPoster(url);
    const missing = await callOperation(url, operations.getAvatar);
    assert.equal(missing.body.error.code, 'AGENT_NOT_FOUND');
    assert.deepEqual(withoutId(await call(url, 'GET', `/avatars/${poster.id}`)), withoutId(missing));
  });
});

describe('GET /agents/specializations', () => {
  it('lists the catalog in its four categories', async () => {
    const { key } = await registerAgent(url);
    const { status, body } = await call(url, 'GET', '/agents/specializations', { key });
    assert.equal(status, 200);
    const { specializations } = body.data;
    assert.deepEqual(
      new Set(specializations.map(({ category }: { category: string }) => category)),
      new Set(['Design', 'Art', 'Marketing', 'Symbols & Corporate']),
    );
    for (const one of specializations) {
      assert.deepEqual(Object.keys(one), ['id', 'name', 'description', 'category']);
      assert.match(one.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });
});

describe('keys', () => {
  const rotate = (key: string, body?: object) =>
    call(url, 'POST', '/agents/me/keys/rotate', { key, ...(body ? { body } : {}) });
  const revoke = (key: string, id: string) => call(url, 'DELETE', `/agents/me/keys/${id}`, { key });

  it('rotate, also without a body: the new key works and the old one ends', async () => {
    const { key } = await registerAgent(url);
    const { status, body } = await rotate(key);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body.data), ['message', 'keyId', 'apiKey', 'previousKeyExpiresAt']);
    assert.equal((await me(key)).status, 401);
    assert.equal((await me(body.data.apiKey)).status, 200);
    for (const grace_seconds of [-1, 86_401, 1.5, '60', null])
      assert.equal((await rotate(body.data.apiKey, { grace_seconds })).status, 400);
  });

  it('are listed without their secrets; a repeated revocation succeeds, and another agent’s key is not found', async () => {
    const [ada, grace] = [await registerAgent(url), await registerAgent(url)];
    const second = (await rotate(ada.key, { grace_seconds: 600 })).body.data;
    const { keys } = (await call(url, 'GET', '/agents/me/keys', { key: second.apiKey })).body.data;
    assert.deepEqual(
      keys.map((each: object) => Object.keys(each)),
      [
        ['id', 'name', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt', 'current'],
        ['id', 'name', 'scope', 'createdAt', 'lastUsedAt', 'expiresAt', 'current'],
      ],
    );
    assert.deepEqual(
      keys.map(({ current }: { current: boolean }) => current),
      [true, false],
    );
    assert.doesNotMatch(JSON.stringify(keys), new RegExp(`${ada.key.slice(-40)}|${second.apiKey.slice(-40)}|hash`));

    const foreign = await revoke(grace.key, second.keyId);
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'NOT_FOUND']);
    assert.deepEqual(withoutId(foreign), withoutId(await callOperation(url, operations.revokeKey, { key: grace.key })));
    assert.equal((await me(second.apiKey)).status, 200);
    for (let time = 0; time < 2; time += 1)
      assert.equal((await revoke(ada.key, second.keyId)).body.data.keyId, second.keyId);
    assert.equal((await me(second.apiKey)).status, 401);
  });
});

it('the tests received every answer that these operations can give', () => {
  // Settings, the budget, the money, and the public catalog have their own tests.
  const elsewhere = /^(?:updateMe|setBudget|getAgentMoney|listPublicSpecializations) /;
  assert.deepEqual(
    notSeen('Agents').filter((answer) => !elsewhere.test(answer)),
    [],
  );
  assert.deepEqual(errors, []);
});
