import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { operations } from '../../contract/operations.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { refusedUntil, told, toldOf } from '../support/clients/limit-headers.ts';
import { callOperation, keyFor, newKeys } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The limits of the specification. This machine's own addresses act as the proxy, so that a test can send requests from
// other addresses.

const world = await startWorld({ env: { TRUSTED_PROXIES: '127.0.0.0/8' }, connections: 10 });
const { url, service } = world;

/** A second service has low limits, so that a test can use them up. */
const FEW = 4;
/** An entry needs other requests before its failed payments. */
const LOW: Record<string, number> = { agentOperationsPerHour: 20, paymentsPerHour: 9 };
const defaults = service.deps.config.limits as Record<string, number>;
const lowLimits = Object.fromEntries(Object.keys(defaults).map((name) => [name, LOW[name] ?? FEW]));
const low = await startWorld({
  env: { TRUSTED_PROXIES: '127.0.0.0/8' },
  wrap: ({ config }) => ({ config: { ...config, limits: { ...config.limits, ...lowLimits } } }),
});

const { createIntent: intent, requestUpload, confirmUpload, searchProjects, listSpecializations } = operations;
const { getMe, listKeys, listOwnProjects, noteEntry, listLeaderboard } = operations;

type Ask = () => Promise<Answer>;
let addresses = 0;
const elsewhere = () => ({ headers: { 'x-forwarded-for': `198.51.100.${(addresses += 1)}` } });
const agentKey = async () => (await registerAgent(low.url)).key;
const posterKey = async () => (await registerPoster(low.url)).key;

function inTurns(key: string, ...specs: Parameters<typeof callOperation>[1][]): Ask {
  let turn = 0;
  return () => callOperation(low.url, specs[(turn += 1) % specs.length]!, { key });
}

/** Returns an agent with an unpaid entry, which a test can pay for. */
async function entrant(at = world) {
  const deadline = new Date(at.clock.now().getTime() + 86_400_000);
  const [{ id, key }, project] = [await registerAgent(at.url), await openProject(at, { deadline })];
  const submission = await createIntent(at.url, key, project.id);
  const params = { project_id: project.id, submission_id: submission.id };
  const body = { fileName: 'lighthouse.png', fileType: 'image/png', fileSize: 1000 };
  const pay = (headers = {}) => callOperation(at.url, requestUpload, { key, headers, params, body });
  const price = await pay();
  // The wallet is empty.
  return { id, key, pay, failToPay: async () => await pay(await signPayment(newPayer(), price)) };
}

const [MINUTE, HOUR] = [60, 3600];
/**
 * Each limit, its default, its seconds, and the status of accepted requests. The last member returns a caller without
 * earlier requests, whose requests take turns among operations that share the limit.
 */
const cases: [name: string, limit: number, seconds: number, status: number, caller: () => Promise<Ask>][] = [
  ['agentOperations', 100, HOUR, 404, async () => inTurns(await agentKey(), confirmUpload, operations.deleteIntent)],
  ['agentReads', 60, MINUTE, 200, async () => inTurns(await agentKey(), searchProjects, listSpecializations)],
  ['agentAccount', 60, MINUTE, 200, async () => inTurns(await agentKey(), getMe, listKeys)],
  ['payments', 50, HOUR, 404, async () => inTurns(await agentKey(), requestUpload)],
  ['failedPayments', 10, HOUR, 402, async () => (await entrant(low)).failToPay],
  ['registrations', 10, HOUR, 400, async () => registering(elsewhere())],
  ['poster', 60, MINUTE, 200, async () => inTurns(await posterKey(), listOwnProjects)],
  ['posterNotes', 120, MINUTE, 404, async () => noting(await posterKey())],
  ['publicReads', 120, MINUTE, 200, async () => reading(elsewhere())],
  ['failedKeys', 60, MINUTE, 401, async () => guessing(elsewhere())],
];
type From = ReturnType<typeof elsewhere>;
function registering(from: From): Ask {
  let turn = 0;
  return () => call(low.url, 'POST', (turn += 1) % 2 ? '/agents/create' : '/posters/create', { ...from, body: {} });
}
function noting(key: string): Ask {
  return () => callOperation(low.url, noteEntry, { key, body: { mark: 'out' } });
}
function reading(from: From): Ask {
  return () => callOperation(low.url, listLeaderboard, from);
}
function guessing(from: From): Ask {
  return () => callOperation(low.url, getMe, { key: 'wrong', ...from });
}

describe('a limit counts down in a window that its first request starts', () => {
  for (const [name, byDefault, seconds, status, caller] of cases)
    it(`${name}: ${byDefault} in ${seconds} s`, async () => {
      const setting = `${name}Per${seconds === HOUR ? 'Hour' : 'Minute'}`;
      assert.equal(defaults[setting], byDefault);
      const limit = LOW[setting] ?? FEW;
      const ask = await caller();
      const resets = new Set<number>();
      for (let left = limit - 1; left >= 0; left -= 1) {
        const answer = await ask();
        assert.equal(answer.status, status, JSON.stringify(answer.body.error));
        const state = toldOf(answer, name.replace('registrations', 'registration'));
        assert.deepEqual([state.limit, state.remaining], [limit, left]);
        // X-RateLimit reports the tightest limit.
        assert.ok(told(answer).remaining <= left);
        if (told(answer).remaining === left) resets.add(told(answer).reset);
      }
      const refused = await ask();
      codeIs(refused, 429, /payments/i.test(name) ? 'RATE_LIMITED' : 'RATE_LIMIT_EXCEEDED');
      refusedUntil(low, refused, name.replace('registrations', 'registration'), limit, seconds);
      // The rounding of the time that is left moves the end by at most a second.
      const ends = [...resets, told(refused).reset];
      assert.ok(Math.max(...ends) - Math.min(...ends) <= 1, String(ends));
    });
});

describe('a used-up limit', () => {
  it('affects no other limit and no other caller', async () => {
    const key = await agentKey();
    for (let left = FEW; left > 0; left -= 1) await callOperation(low.url, searchProjects, { key });
    codeIs(await callOperation(low.url, searchProjects, { key }), 429, 'RATE_LIMIT_EXCEEDED', /Too many reads/);
    expectStatus(await callOperation(low.url, getMe, { key }), 200);
    expectStatus(await callOperation(low.url, searchProjects, { key: await agentKey() }), 200);
  });

  it('of reads without a key holds for the large public texts, too', async () => {
    const from = elsewhere();
    const readText = async (path: string) => (await fetch(low.url + path, from)).status;
    for (const path of ['/sitemap.xml', '/feed.atom', '/docs', '/openapi.json'])
      assert.equal(await readText(path), 200);
    for (const path of ['/feed.json', '/api/v1/openapi.json', '/docs/agents']) assert.equal(await readText(path), 429);
    codeIs(await callOperation(low.url, listLeaderboard, from), 429, 'RATE_LIMIT_EXCEEDED');
    assert.equal(await readText('/skill.md'), 200);
  });

  it('hides whether a resource exists, and comes before the standing of the agent', async () => {
    const { id, key, pay } = await entrant(low);
    // The entrant has made an intent and asked for the price.
    for (let sent = 2; sent < LOW['agentOperationsPerHour']!; sent += 1)
      codeIs(await callOperation(low.url, confirmUpload, { key }), 404, 'SUBMISSION_NOT_FOUND');
    codeIs(await pay(), 429, 'RATE_LIMITED');
    codeIs(await callOperation(low.url, requestUpload, { key, params: { project_id: 'x' } }), 429, 'RATE_LIMITED');
    const body = { title: 'Lighthouse' };
    codeIs(await callOperation(low.url, intent, { key, body }), 429, 'RATE_LIMIT_EXCEEDED');
    await low.service.deps.db`update agents set status = 'suspended' where id = ${id}`;
    low.clock.offsetMs += 1_000;
    codeIs(await callOperation(low.url, searchProjects, { key }), 403, 'AGENT_SUSPENDED');
    codeIs(await callOperation(low.url, confirmUpload, { key }), 429, 'RATE_LIMIT_EXCEEDED');
  });
});

describe('failed payments', () => {
  it('count once they cost a call, and then refuse payments, not the price', async () => {
    const { pay, failToPay } = await entrant();
    for (let time = 1; time <= 12; time += 1) {
      const unreadable = await pay({ 'x-payment': 'none' });
      codeIs(unreadable, 402, 'PAYMENT_FAILED');
      assert.equal(toldOf(unreadable, 'failedPayments').remaining, 10);
    }
    for (let left = 9; left >= 0; left -= 1) {
      const failed = await failToPay();
      codeIs(failed, 402, 'PAYMENT_FAILED');
      assert.equal(toldOf(failed, 'failedPayments').remaining, left);
    }
    const refused = await failToPay();
    codeIs(refused, 429, 'RATE_LIMITED', /failed payments/);
    refusedUntil(world, refused, 'failedPayments', 10, 3600);
    codeIs(await pay(), 402, 'PAYMENT_REQUIRED');
  });

  it('are 10 of 40 concurrent ones, while a good payment, sent 12 times, is one', async () => {
    const [good, bad, payer] = [await entrant(), await entrant(), newPayer()];
    await fund(url, payer.address, 1);
    const headers = await signPayment(payer, await good.pay());
    for (const answer of await Promise.all(Array.from({ length: 12 }, () => good.pay(headers)))) {
      expectStatus(answer, 200);
      assert.equal(toldOf(answer, 'failedPayments').limit, 10);
    }
    assert.equal(toldOf(await good.pay(), 'failedPayments').remaining, 10);
    const answers = await Promise.all(Array.from({ length: 40 }, () => bad.failToPay()));
    codeIs(await bad.pay(), 402, 'PAYMENT_REQUIRED');
    const codes = answers.map((answer) => `${answer.status} ${answer.body.error?.code}`);
    assert.equal(codes.filter((code) => code === '402 PAYMENT_FAILED').length, 10);
    assert.equal(codes.filter((code) => code === '429 RATE_LIMITED').length, 30);
  });
});

it('every operation with a limit refuses requests beyond it, with its code', async () => {
  const free = everyOperation.filter(({ limits, auth }) => !limits && auth !== 'operator');
  assert.deepEqual(
    free.map(({ id }) => id),
    ['getNetwork', 'mintTestUsdc'],
  );
  const limited = everyOperation.filter(({ limits }) => limits);
  // The operations of a group share their limits. The first one uses them up.
  const groups = Object.groupBy(limited, ({ auth, limits }) => `${auth}: ${limits?.join()}`);
  for (const group of Object.values(groups) as OperationSpec[][]) {
    const options = { ...keyFor(group[0]!, await newKeys(low)), ...elsewhere() };
    const first = group.find(({ method }) => method === 'get') ?? group[0]!;
    let accepted = 0;
    while ((await callOperation(low.url, first, options)).status !== 429) accepted += 1;
    assert.ok(accepted >= FEW, `${first.id} after ${accepted}`);
    for (const spec of group) {
      const answer = await callOperation(low.url, spec, options);
      codeIs(answer, 429, spec.limitError ?? 'RATE_LIMIT_EXCEEDED');
      assert.equal(told(answer).remaining, 0);
    }
  }
});
