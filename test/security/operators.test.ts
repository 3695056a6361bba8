import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorsOf } from '../../contract/basics/operation.ts';
import { holdsScope, needsCode, type OperatorScope, operatorScopes } from '../../contract/basics/operator-scope.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { enrolled, newOperator, type Operator } from '../support/clients/operators.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Calls every operation of operators with a key of each scope. The lists are decisions: a new operation fails until it
// stands in one of them.

const decided: Record<Exclude<OperatorScope, 'read'>, string[]> = {
  support: [
    'holdPayout',
    'decideObjection',
    'setAgentStatus',
    'openFilesAsOperator',
    'disableWebhook',
    'decideFlag',
    'moderateQuestion',
    'setPosterStatus',
  ],
  money: [
    'cancelProjectAsOperator',
    'awardProject',
    'shareProject',
    'disqualifySubmission',
    'releasePayout',
    'retryPayout',
    'releasePayouts',
    'withdrawRevenue',
    'retryPayment',
    'returnStray',
    'recover',
    'adoptTransfer',
    'approveAct',
    'rejectAct',
  ],
  admin: ['addOperator', 'revokeOperator', 'addWithdrawalAddress', 'removeWithdrawalAddress'],
};
/** They change only the codes and the sessions of the caller itself. */
const OWN = ['enrollForCodes', 'confirmCodes', 'removeCodes', 'deleteOperatorSession'];

const world = await startWorld({ env: { LIMIT_FAILED_KEYS_PER_MINUTE: '100000' } });
const { url, operatorKey, clock, service, errors } = world;
const { db } = service.deps;
const ofOperators = everyOperation.filter(({ auth }) => auth === 'operator');
const bodies = goodBodies(url);
const keys = Object.fromEntries(
  await Promise.all(operatorScopes.map(async (scope) => [scope, await newOperator(world, scope)] as const)),
) as Record<OperatorScope, Operator>;

const ask = (spec: (typeof ofOperators)[number], key: string, more: { params?: Record<string, string> } = {}) =>
  callOperation(url, spec, { key, ...more, ...(bodies[spec.id] ? { body: bodies[spec.id] } : {}) });
const audited = async (where = db`true`) =>
  await db<{ actor: string; action: string }[]>`
    select actor, action from audit_trail where ${where} order by at, id`;

describe('the scopes of operators', () => {
  it('are decided for every operation: a GET needs `read`, all others stand in a list', () => {
    for (const spec of ofOperators) {
      const [scope = 'read'] = Object.entries(decided).find(([, ids]) => ids.includes(spec.id)) ?? [];
      assert.equal(spec.operatorScope, scope, spec.id);
      assert.equal(spec.operatorScope === 'read', spec.method === 'get' || OWN.includes(spec.id), spec.id);
      assert.ok(errorsOf(spec).includes('OPERATOR_SCOPE'), spec.id);
    }
  });

  it('include those that can wait for an approval only in `money`', () => {
    for (const { id, approval, operatorScope } of everyOperation)
      if (approval) assert.equal(operatorScope, 'money', id);
  });

  for (const held of operatorScopes)
    it(`${held}: answers what it covers, and refuses the rest without a change`, async () => {
      const { key } = keys[held];
      const before = await audited();
      for (const spec of ofOperators.filter(({ operatorScope }) => !holdsScope([held], operatorScope!))) {
        codeIs(await ask(spec, key), 403, 'OPERATOR_SCOPE');
      }
      assert.deepEqual(await audited(), before);
      for (const spec of ofOperators.filter(({ operatorScope }) => holdsScope([held], operatorScope!))) {
        const answer = await ask(spec, key);
        const refused = answer.status === 401 || answer.body.error?.code === 'OPERATOR_SCOPE';
        assert.ok(!refused && answer.status < 500, `${spec.id}: ${answer.status}`);
      }
    });
});

describe('the audit trail', () => {
  it('names the operator of each act, and OPERATOR_KEY as `operator`', async () => {
    const [support, money] = [keys.support, keys.money];
    const project = await openProject(world);
    const agent = await registerAgent(url);
    const body = { status: 'limited', reason: 'Too many complaints' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: support.key, body }), 200);
    const cancel = `/operator/projects/${project.id}/cancel`;
    expectStatus(await call(url, 'POST', cancel, { key: money.key, body: { reason: 'Against the rules' } }), 200);
    const status = await audited(db`subject = ${`agent:${agent.id}`} and action like 'agent.%' and reason is not null`);
    assert.deepEqual(
      status.map(({ actor }) => actor),
      [`operator:${support.name}`],
    );
    const canceled = await audited(db`subject = ${`project:${project.id}`} and action = 'project.cancel'`);
    assert.deepEqual(
      canceled.map(({ actor }) => actor),
      [`operator:${money.name}`],
    );
    const added = await audited(db`subject = ${`operator:${money.name}`}`);
    assert.deepEqual(
      added.map(({ actor, action }) => [actor, action]),
      [['operator', 'operator.add']],
    );
    const path = `/operator/audit?actor=${encodeURIComponent(`operator:${support.name}`)}`;
    const { entries } = expectStatus(await call(url, 'GET', path, { key: keys.read.key }), 200).body.data;
    assert.ok(entries.length > 0);
  });
});

describe('a named operator', () => {
  it('is shown without its key, once per name, until its key is revoked or expires', async () => {
    const admin = keys.admin;
    const body = { name: 'grace', scopes: ['support', 'read', 'support'], expires_days: 2, reason: 'Helps out' };
    const post = (path: string, given: object) => call(url, 'POST', path, { key: admin.key, body: given });
    const { apiKey, operator } = expectStatus(await post('/operator/operators', body), 201).body.data;
    assert.match(apiKey, /^co_test_/);
    assert.deepEqual([operator.scopes, operator.added_by], [['support', 'read'], `operator:${admin.name}`]);
    codeIs(await post('/operator/operators', body), 409, 'OPERATOR_CONFLICT');
    const me = expectStatus(await call(url, 'GET', '/operator/me', { key: apiKey }), 200).body.data;
    assert.deepEqual([me.name, me.scopes, me.codes], ['grace', ['support', 'read'], false]);
    const [stored] = await db`select operators::text as row from operators where name = 'grace'`;
    assert.ok(!String(stored!['row']).includes(apiKey.slice(-40)));
    clock.offsetMs += 2 * 86_400_000;
    codeIs(await call(url, 'GET', '/operator/me', { key: apiKey }), 401, 'INVALID_API_KEY');
    const again = expectStatus(await post('/operator/operators', body), 201).body.data.apiKey as string;
    const revoke = () => post('/operator/operators/grace/revoke', { reason: 'Leaves' });
    const first = expectStatus(await revoke(), 200).body.data.operator;
    assert.deepEqual(expectStatus(await revoke(), 200).body.data.operator, first);
    clock.offsetMs += 1_000;
    codeIs(await call(url, 'GET', '/operator/me', { key: again }), 401, 'INVALID_API_KEY');
    const list = expectStatus(await call(url, 'GET', '/operator/operators', { key: keys.read.key }), 200).body.data;
    assert.equal(list.operators.filter(({ name }: { name: string }) => name === 'grace').length, 2);
    // A job numbers the events after their commit.
    await until('the alert', async () => {
      const answer = await call(url, 'GET', '/operator/events?limit=100&types=ALERT.OPERATOR_ADDED', {
        key: operatorKey,
      });
      const { events } = expectStatus(answer, 200).body.data as { events: { data: { message?: string } }[] };
      return events.some(({ data }) => data.message?.includes('added the operator grace'));
    });
  });
});

describe('codes', () => {
  const post = ({ key }: Operator, path: string, body: object, code?: string) =>
    call(url, 'POST', path, { key, body, ...(code ? { headers: { 'x-operator-code': code } } : {}) });
  const STEP_MS = 30_000;

  it('are required for every act of money and admin, are used once, and end by one', async () => {
    const ada = await newOperator(world, 'money', 'admin', 'support');
    const codeOf = await enrolled(world, ada);
    for (const spec of ofOperators.filter(({ operatorScope }) => needsCode(operatorScope!)))
      codeIs(await ask(spec, ada.key), 403, 'OPERATOR_CODE_REQUIRED');
    // Other acts need none.
    codeIs(
      await ask(
        ofOperators.find(({ id }) => id === 'decideFlag')!,
        ada.key,
      ),
      404,
      'NOT_FOUND',
    );
    clock.offsetMs += 2 * STEP_MS;
    const list = (code?: string, address = `0x${'12'.repeat(20)}`) =>
      post(ada, '/operator/withdrawal-addresses', { address, reason: 'Our bank' }, code);
    const code = codeOf();
    codeIs(await list(code, 'nonsense'), 400, 'VALIDATION_ERROR');
    const answers = await Promise.all([list(code), list(code), list(code)]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 403, 403],
    );
    for (const wrong of ['000000', 'secret', '12345']) codeIs(await list(wrong), 403, 'OPERATOR_CODE_INVALID');
    // The code of one step ago is right, but older than the one that was used.
    codeIs(await list(codeOf(new Date(clock.now().getTime() - STEP_MS))), 429, 'RATE_LIMIT_EXCEEDED');
    clock.offsetMs += 299_000;
    codeIs(await list(codeOf()), 429, 'RATE_LIMIT_EXCEEDED');
    clock.offsetMs += 2_000;
    expectStatus(await list(codeOf()), 201);
    codeIs(await post(ada, '/operator/me/codes', {}), 409, 'OPERATOR_CONFLICT');
    clock.offsetMs += 2 * STEP_MS;
    codeIs(await post(ada, '/operator/me/codes/remove', { code: '000000' }), 403, 'OPERATOR_CODE_INVALID');
    expectStatus(await post(ada, '/operator/me/codes/remove', { code: codeOf() }), 200);
    expectStatus(await list(), 201);
    const acts = await audited(db`actor = ${`operator:${ada.name}`} and action like 'operator.%'`);
    assert.deepEqual(
      acts.map(({ action }) => action),
      ['operator.enroll', 'operator.remove_codes'],
    );
  });

  it('need a named operator, and a secret before the first code', async () => {
    const body = { code: '123456' };
    const bob = await newOperator(world, 'read');
    for (const path of ['', '/confirm', '/remove'])
      codeIs(
        await call(url, 'POST', `/operator/me/codes${path}`, { key: operatorKey, body }),
        409,
        'OPERATOR_CONFLICT',
      );
    codeIs(await call(url, 'POST', '/operator/me/codes/confirm', { key: bob.key, body }), 409, 'OPERATOR_CONFLICT');
    expectStatus(await call(url, 'POST', '/operator/me/codes', { key: bob.key }), 201);
    codeIs(
      await call(url, 'POST', '/operator/me/codes/confirm', { key: bob.key, body: { code: '000000' } }),
      403,
      'OPERATOR_CODE_INVALID',
    );
    assert.equal(expectStatus(await call(url, 'GET', '/operator/me', { key: bob.key }), 200).body.data.codes, false);
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
