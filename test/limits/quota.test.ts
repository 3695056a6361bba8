import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { told, toldOf } from '../support/clients/limit-headers.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Every limit is visible before it refuses: the daily quota and the failed payments too.

const DAY_S = 86_400;
const world = await startWorld();
const { url, clock, service, errors } = world;
const { enter, intentOf, richPayer } = entriesOf(world);
const paid = await openProject(world);
const open = await Promise.all(Array.from({ length: 6 }, () => openProject(world, { entryFeeUsdc: 0 })));

describe('the daily quota', () => {
  it('counts down in the headers of intents, and a refusal says when to come back', async () => {
    const { key } = await registerAgent(url);
    const now = clock.now();
    const midnight = (Math.floor(now.getTime() / 1000 / DAY_S) + 1) * DAY_S;
    await clock.at(now, async () => {
      for (let left = 4; left >= 0; left -= 1) {
        const answer = expectStatus(await intentOf(key, open[left]!.id), 201);
        assert.deepEqual(told(answer), { limit: 5, remaining: left, reset: midnight });
        const reset = Math.ceil(midnight - now.getTime() / 1000);
        assert.deepEqual(toldOf(answer, 'dailyProjects'), { limit: 5, remaining: left, resetSeconds: reset });
        assert.match(answer.headers.get('ratelimit-policy')!, new RegExp(`"dailyProjects";q=5;w=${DAY_S}`));
      }
      const refused = await intentOf(key, open[5]!.id);
      codeIs(refused, 429, 'RATE_LIMIT_EXCEEDED', /midnight UTC/);
      assert.deepEqual(told(refused), { limit: 5, remaining: 0, reset: midnight });
      assert.equal(Number(refused.headers.get('retry-after')), toldOf(refused, 'dailyProjects').resetSeconds);
      assert.ok(toldOf(refused, 'agentOperations').remaining > 90);
    });
  });

  it('is told with every refusal of an intent, and after a deleted intent', async () => {
    const { key } = await registerAgent(url);
    assert.equal(toldOf(await intentOf(key, open[0]!.id, {}), 'dailyProjects').remaining, 5);
    assert.equal(toldOf(await intentOf(key, 'x'), 'dailyProjects').remaining, 5);
    expectStatus(await intentOf(key, open[0]!.id), 201);
    assert.equal(toldOf(await intentOf(key, open[0]!.id), 'dailyProjects').remaining, 4);
    expectStatus(await call(url, 'DELETE', `/agents/projects/${open[0]!.id}/intent`, { key }), 200);
    assert.equal(toldOf(expectStatus(await intentOf(key, open[0]!.id), 201), 'dailyProjects').remaining, 3);
  });

  it('is shown with quotes and paid uploads, where it limits nothing', async () => {
    const entry = await enter(paid.id);
    for (const { id } of open.slice(0, 4)) expectStatus(await intentOf(entry.key, id), 201);
    const quote = await requestUpload(url, entry);
    codeIs(quote, 402, 'PAYMENT_REQUIRED');
    const { pay } = await richPayer();
    for (const answer of [quote, expectStatus(await requestUpload(url, { ...entry, fetch: pay }), 200)]) {
      assert.equal(toldOf(answer, 'dailyProjects').remaining, 0);
      // A client that obeys X-RateLimit must not wait until midnight to pay for what it reserved.
      assert.ok(told(answer).remaining > 0);
    }
  });

  it('follows the tier', async () => {
    const { key, id } = await registerAgent(url);
    await service.deps.db`update agents set tier = 'elite' where id = ${id}`;
    clock.offsetMs += 1_000;
    assert.equal(toldOf(expectStatus(await intentOf(key, open[0]!.id), 201), 'dailyProjects').remaining, 99);
  });
});

describe('the failed payments', () => {
  it('count down in the headers of upload requests, from the first quote to the refusal', async () => {
    const entry = await enter(paid.id);
    const quote = await requestUpload(url, entry);
    assert.deepEqual([toldOf(quote, 'failedPayments').remaining, told(quote).limit], [10, 10]);
    for (let left = 9; left >= 0; left -= 1) {
      const failed = await requestUpload(url, { ...entry, headers: { 'x-payment': 'none' } });
      codeIs(failed, 402, 'PAYMENT_FAILED');
      assert.equal(toldOf(failed, 'failedPayments').remaining, left);
      const { limit, remaining } = told(failed);
      assert.deepEqual({ limit, remaining }, { limit: 10, remaining: left });
    }
    const refused = await requestUpload(url, entry);
    codeIs(refused, 429, 'RATE_LIMITED', /failed payments/);
    const { limit, remaining } = told(refused);
    assert.deepEqual({ limit, remaining }, { limit: 10, remaining: 0 });
    assert.equal((refused.headers.get('ratelimit') ?? '').split('failedPayments').length, 2, 'named once');
  });

  it('do not fall by a payment that succeeds', async () => {
    const entry = await enter(paid.id);
    const { pay } = await richPayer();
    const granted = expectStatus(await requestUpload(url, { ...entry, fetch: pay }), 200);
    assert.equal(toldOf(granted, 'failedPayments').remaining, 10);
  });
});

it('OpenAPI lists the headers of limits', async () => {
  type Document = {
    components: { headers: Record<string, object> };
    paths: Record<string, Record<string, { responses: Record<string, { headers: Record<string, object> }> }>>;
  };
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as Document;
  const intent = document.paths['/agents/projects/{project_id}/intent']?.['post'];
  for (const name of [
    'RateLimit',
    'RateLimit-Policy',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ]) {
    assert.ok(document.components.headers[name], name);
    for (const status of ['201', '429']) assert.ok(intent?.responses[status]?.headers[name], `${name} of ${status}`);
  }
});

it('logs no errors', () => assert.deepEqual(errors, []));
