import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operations } from '../../contract/operations.ts';
import { fund, newPayer, signPayment } from '../support/clients/client.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { refusedUntil, told, toldOf } from '../support/clients/limit-headers.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Uses the limits of the specification. This machine's own addresses act as the proxy, so that a test can send requests
// from other addresses.
const world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.0/8' }, connections: 10 });
const { url, service, clock, errors } = world;

// A second service has each limit at 1.
const names = [
  'AGENT_OPERATIONS_PER_HOUR',
  'AGENT_READS_PER_MINUTE',
  'AGENT_ACCOUNT_PER_MINUTE',
  'PREFLIGHTS_PER_HOUR',
  'PAYMENTS_PER_HOUR',
  'REGISTRATIONS_PER_HOUR',
  'POSTER_PER_MINUTE',
  'POSTER_NOTES_PER_MINUTE',
  'PUBLIC_READS_PER_MINUTE',
  'SIGN_INS_PER_HOUR',
];
const env = Object.fromEntries(names.map((name) => [`LIMIT_${name}`, '1']));
const strict = await startWorld({ env: { ...env, TRUSTED_PROXIES: '127.0.0.0/8' } });

const {
  createIntent: intent,
  requestUpload,
  confirmUpload,
  searchProjects,
  getProject,
  listSpecializations,
} = operations;
const { preflightPicture, getMe, listKeys, publishProject, listOwnProjects, draftProject, noteEntry } = operations;

describe('limits of an agent', () => {
  it('allow 100 operations an hour: intent, upload, and confirm together', async () => {
    const { key } = await registerAgent(url);
    const resets: number[] = [];
    for (let left = 99; left >= 0; left -= 1) {
      const spec = left % 2 === 0 ? confirmUpload : intent;
      const answer = await callOperation(url, spec, {
        key,
        ...(spec === intent ? { body: { title: 'Lighthouse' } } : {}),
      });
      assert.equal(answer.status, 404);
      const { resetSeconds, ...rest } = toldOf(answer, 'agentOperations');
      assert.deepEqual(rest, { limit: 100, remaining: left });
      resets.push(clock.now().getTime() / 1000 + resetSeconds);
      // An intent also reports the quota of the day, which is tighter until the last requests.
      assert.equal(told(answer).remaining, spec === intent ? Math.min(left, 5) : left);
    }
    // All requests share one window with a fixed end. The clocks that report it differ by milliseconds.
    assert.ok(Math.max(...resets) - Math.min(...resets) <= 2);
    const exceeded = await callOperation(url, intent, { key, body: { title: 'Lighthouse' } });
    codeIs(exceeded, 429, 'RATE_LIMIT_EXCEEDED');
    refusedUntil(world, exceeded, 'agentOperations', 100, 3600);
    codeIs(await callOperation(url, confirmUpload, { key }), 429, 'RATE_LIMIT_EXCEEDED');
    codeIs(await callOperation(url, requestUpload, { key }), 429, 'RATE_LIMITED');
    // Other agents and other limits are not affected.
    assert.equal((await callOperation(url, searchProjects, { key })).status, 200);
    const other = await registerAgent(url);
    assert.equal((await callOperation(url, confirmUpload, { key: other.key })).status, 404);
  });

  it('allow 60 reads a minute: search, detail, and specializations together', async () => {
    const { key } = await registerAgent(url);
    const specs = [searchProjects, getProject, listSpecializations];
    for (let left = 59; left >= 0; left -= 1) {
      const { reset: _, ...rest } = told(await callOperation(url, specs[left % 3]!, { key }));
      assert.deepEqual(rest, { limit: 60, remaining: left });
    }
    for (const spec of specs) {
      const answer = await callOperation(url, spec, { key });
      codeIs(answer, 429, 'RATE_LIMIT_EXCEEDED', /Too many reads/);
      refusedUntil(world, answer, 'agentReads', 60, 60);
    }
    assert.equal((await callOperation(url, getMe, { key })).status, 200);
  });

  it('allow 20 preflights an hour, which count against no other limit', async () => {
    const { key } = await registerAgent(url);
    const sent = { key, raw: 'no picture', headers: { 'content-type': 'image/png' } };
    for (let left = 19; left >= 0; left -= 1) {
      const { reset: _, ...rest } = told(await callOperation(url, preflightPicture, sent));
      assert.deepEqual(rest, { limit: 20, remaining: left });
    }
    const exceeded = await callOperation(url, preflightPicture, sent);
    codeIs(exceeded, 429, 'RATE_LIMIT_EXCEEDED', /Too many preflights/);
    refusedUntil(world, exceeded, 'preflights', 20, 3600);
    assert.equal(told(await callOperation(url, confirmUpload, { key })).remaining, 99);
  });

  it('allow 120 notes of a poster a minute, which count against no other limit', async () => {
    const { key } = await registerPoster(url);
    const sent = { key, body: { mark: 'out' } };
    for (let left = 119; left >= 0; left -= 1) {
      const { reset: _, ...rest } = told(await callOperation(url, noteEntry, sent));
      assert.deepEqual(rest, { limit: 120, remaining: left });
    }
    const exceeded = await callOperation(url, noteEntry, sent);
    codeIs(exceeded, 429, 'RATE_LIMIT_EXCEEDED', /Too many notes/);
    refusedUntil(world, exceeded, 'posterNotes', 120, 60);
    assert.equal(told(await callOperation(url, listOwnProjects, { key })).remaining, 59);
  });

  it('are exact for concurrent requests over 256 connections', async () => {
    const { key } = await registerAgent(url);
    const answers = await Promise.all(
      Array.from({ length: 256 }, () => callOperation(url, listSpecializations, { key })),
    );
    const left = answers.filter(({ status }) => status === 200).map((answer) => told(answer).remaining);
    assert.deepEqual(
      left.toSorted((a, b) => b - a),
      Array.from({ length: 60 }, (_, index) => 59 - index),
    );
    assert.equal(answers.filter(({ status }) => status === 429).length, 196);
  });

  it('allow 60 profile and key requests a minute', async () => {
    const { key } = await registerAgent(url);
    for (let left = 59; left >= 0; left -= 1) await callOperation(url, left % 2 ? getMe : listKeys, { key });
    refusedUntil(world, await callOperation(url, getMe, { key }), 'agentAccount', 60, 60);
  });

  it('allow 50 requests an hour to paid operations (RATE_LIMITED)', async () => {
    const { key } = await registerAgent(url);
    for (let left = 49; left >= 0; left -= 1) {
      const answer = await callOperation(url, requestUpload, { key });
      assert.equal(answer.status, 404);
      // The failed payments are tighter until the last requests.
      const { reset: _, ...rest } = told(answer);
      const [payments, failed] = [
        { limit: 50, remaining: left },
        { limit: 10, remaining: 10 },
      ];
      // With the same number left, the limit with the later reset is the tighter one.
      if (left !== 10) assert.deepEqual(rest, left < 10 ? payments : failed);
      else assert.ok([payments.limit, failed.limit].includes(rest.limit) && rest.remaining === 10);
      const state = `"agentOperations";r=${left + 50};t=\\d+, "payments";r=${left};t=\\d+, "failedPayments";r=10;t=\\d+`;
      assert.match(answer.headers.get('ratelimit')!, new RegExp(`^${state}, "dailyProjects";r=5;t=\\d+$`));
    }
    const exceeded = await callOperation(url, requestUpload, { key });
    codeIs(exceeded, 429, 'RATE_LIMITED', /payment-protected/);
    refusedUntil(world, exceeded, 'payments', 50, 3600);
    assert.equal((await callOperation(url, confirmUpload, { key })).status, 404);
  });

  it('allow 10 failed payments an hour; a request without a payment does not count', async () => {
    const project = await openProject(world);
    const { key } = await registerAgent(url);
    const { id } = await createIntent(url, key, project.id);
    const pay = (headers: Record<string, string>) =>
      callOperation(url, requestUpload, { key, headers, params: { project_id: project.id, submission_id: id } });
    for (let time = 1; time <= 15; time += 1) codeIs(await pay({}), 402, 'PAYMENT_REQUIRED');
    for (let time = 1; time <= 10; time += 1) codeIs(await pay({ 'x-payment': 'e30=' }), 402, 'PAYMENT_FAILED');
    for (const headers of [{ 'x-payment': 'e30=' }, {}]) {
      const exceeded = await pay(headers);
      codeIs(exceeded, 429, 'RATE_LIMITED', /failed payments/);
      refusedUntil(world, exceeded, 'failedPayments', 10, 3600);
    }
  });

  it('allow 10 failed payments an hour out of 40 concurrent ones; good payments wait for their turn', async () => {
    const project = await openProject(world);
    const { key } = await registerAgent(url);
    const { id } = await createIntent(url, key, project.id);
    const params = { project_id: project.id, submission_id: id };
    const body = { fileName: 'lighthouse.png', fileType: 'image/png', fileSize: 1000 };
    const pay = (headers: Record<string, string>) => callOperation(url, requestUpload, { key, headers, params, body });
    const payer = newPayer();
    await fund(url, payer.address, 1);
    const good = await signPayment(payer, await pay({}));
    // The same payment sent 12 times is one payment and reserves one place.
    for (const answer of await Promise.all(Array.from({ length: 12 }, () => pay(good))))
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const other = await registerAgent(url);
    const second = await createIntent(url, other.key, project.id);
    const fail = () =>
      callOperation(url, requestUpload, {
        key: other.key,
        headers: { 'x-payment': 'e30=' },
        params: { project_id: project.id, submission_id: second.id },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, fail));
    const codes = answers.map((answer) => `${answer.status} ${answer.body.error?.code}`);
    assert.equal(codes.filter((code) => code === '402 PAYMENT_FAILED').length, 10);
    assert.equal(codes.filter((code) => code === '429 RATE_LIMITED').length, 30);
  });

  it('allow a starter 5 projects a day under concurrent requests; the day ends at midnight UTC', async () => {
    const poster = await registerPoster(url);
    const projects = await Promise.all(
      Array.from({ length: 8 }, () => openProject(world, { poster, deadline: new Date(Date.now() + 3 * 86_400_000) })),
    );
    const { key, id } = await registerAgent(url);
    // No intent is confirmed. Raise the limit of open intents, which this test does not check.
    await service.deps.db`update agents set settings = settings || '{"maxConcurrentProjects": 100}' where id = ${id}`;
    const enter = (project: { id: string }) =>
      callOperation(url, intent, { key, params: { project_id: project.id }, body: { title: 'Lighthouse' } });
    const now = clock.now();
    const answers = await clock.at(now, () => Promise.all(projects.map((project) => enter(project))));
    const refusals = answers.filter(({ status }) => status === 429);
    assert.deepEqual([answers.filter(({ status }) => status === 201).length, refusals.length], [5, 3]);
    const refused = refusals[0]!;
    codeIs(refused, 429, 'RATE_LIMIT_EXCEEDED', /starter tier.* 5 projects a day.*midnight UTC/);
    const midnight = (Math.floor(now.getTime() / 86_400_000) + 1) * 86_400_000;
    assert.equal(Number(refused.headers.get('retry-after')), Math.ceil((midnight - now.getTime()) / 1000));

    const left = projects.filter((_, index) => answers[index]!.status === 429);
    await service.deps.db`update agents set tier = 'pro' where id = ${id}`;
    clock.offsetMs += 1000;
    assert.equal((await enter(left[0]!)).status, 201);
    await service.deps.db`update agents set tier = 'starter' where id = ${id}`;
    clock.offsetMs = midnight - Date.now();
    assert.deepEqual([(await enter(left[1]!)).status, (await enter(left[2]!)).status], [201, 201]);
    clock.offsetMs = 0;
  });
});

describe('limits of a poster', () => {
  it('allow 60 requests a minute, and 50 an hour to paid operations', async () => {
    const { key } = await registerPoster(url);
    for (let left = 59; left >= 10; left -= 1)
      assert.equal((await callOperation(url, publishProject, { key })).status, 404);
    const paid = await callOperation(url, publishProject, { key });
    codeIs(paid, 429, 'RATE_LIMIT_EXCEEDED', /payment-protected/);
    refusedUntil(world, paid, 'payments', 50, 3600);
    for (let left = 8; left >= 0; left -= 1)
      assert.equal(told(await callOperation(url, listOwnProjects, { key })).remaining, left);
    refusedUntil(world, await callOperation(url, draftProject, { key, body: {} }), 'poster', 60, 60);
  });
});

it('every operation with a limit refuses requests beyond it, with its code and the time to wait', async () => {
  const limited = everyOperation.filter(({ limits }) => limits);
  assert.deepEqual(
    everyOperation.filter(({ limits, auth }) => !limits && auth !== 'operator').map(({ id }) => id),
    ['getAvatar', 'getNetwork', 'mintTestUsdc'],
  );
  for (const [index, spec] of limited.entries()) {
    const options = {
      ...keyFor(spec, await newKeys(strict)),
      headers: { 'x-forwarded-for': `203.0.113.${index + 1}` },
    };
    // During its grace period, a rotated key still works for the second request.
    const first = { ...options, ...(spec.id === 'rotateKey' ? { body: { grace_seconds: 60 } } : {}) };
    assert.notEqual((await callOperation(strict.url, spec, first)).status, 429, spec.id);
    const answer = await callOperation(strict.url, spec, options);
    codeIs(answer, 429, spec.id === 'requestUpload' ? 'RATE_LIMITED' : 'RATE_LIMIT_EXCEEDED');
    assert.equal(told(answer).remaining, 0);
  }
  assert.deepEqual([...errors, ...strict.errors], []);
});
