import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialErrorsOf, errorsOf, type OperationSpec } from '../../contract/basics/operation.ts';
import { scopeOf } from '../../contract/basics/scope.ts';
import { operations } from '../../contract/operations.ts';
import { type Caller, makeCallers, type Refusal } from '../support/clients/callers.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { asPoster, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import {
  callOperation,
  exactAnswer,
  goodBodies,
  keyFor,
  missingId,
  parametersOf,
} from '../support/clients/requests.ts';
import { ownedIds } from '../support/clients/owned-ids.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Every operation of the contract × every kind of caller. The expected answers follow from the contract, so that a new
// operation is tested without a change here. `the contract decides` compares the contract with the specification.

const world = await sharedWorld();
const { url, operatorKey } = world;
const callers = await makeCallers(world);
const bodies = goodBodies(url);
const [victim, asker] = [await ownedIds(world), await ownedIds(world)];
const keys = { agent: asker.agent.key, poster: asker.poster.key, operator: operatorKey };
// The operations that end a session come last, because they end the session of their caller.
const inOrder = everyOperation.toSorted((a, b) => Number(a.session === 'ends') - Number(b.session === 'ends'));

const bodyOf = ({ id }: OperationSpec) => (bodies[id] ? { body: bodies[id] } : {});
const malformed = (spec: OperationSpec) => ({
  params: Object.fromEntries(parametersOf(spec).map((name) => [name, '%00'])),
  ...(spec.body ? { raw: '{' } : {}),
});

const compared = new Set<string>();
const before = await victim.state();

/** A refused caller gets the same answer for ids that exist and for nonsense, so it learns nothing. */
async function isRefused(spec: OperationSpec, { headers }: Caller, [status, code]: NonNullable<Refusal>) {
  const answer = await callOperation(url, spec, { headers, params: victim.ids, ...bodyOf(spec) });
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code], spec.id);
  // One caller for each refusal of an operation shows this.
  const refusal = `${spec.id} ${code}`;
  if (compared.has(refusal)) return;
  compared.add(refusal);
  const other = await callOperation(url, spec, { headers, ...malformed(spec) });
  assert.equal(exactAnswer(other), exactAnswer(answer), spec.id);
}

/** An admitted caller gets past the check of the caller. Its ids belong to nothing and its body is wrong. */
async function isAdmitted(spec: OperationSpec, { headers }: Caller): Promise<void> {
  const { status } = await callOperation(url, spec, { headers, ...(spec.body ? { raw: '[]' } : {}) });
  assert.ok(![401, 403].includes(status) && status < 500, `${spec.id}: ${status}`);
}

describe('every operation', () => {
  for (const [who, caller] of Object.entries(callers))
    it(`by ${who}`, async () => {
      for (const spec of inOrder.filter(({ auth }) => !caller.among || auth === caller.among)) {
        const refusal = caller.refusalOf(spec);
        if (refusal) await isRefused(spec, caller, refusal);
        // By the key of the operator, it would end the sessions of other tests.
        else if (who !== 'the operator' || spec.session !== 'ends') await isAdmitted(spec, caller);
      }
    });

  it('answers a malformed id with INVALID_PARAMETER, and a malformed body with VALIDATION_ERROR', async () => {
    for (const spec of everyOperation) {
      const key = keyFor(spec, keys);
      for (const name of parametersOf(spec))
        codeIs(
          await callOperation(url, spec, { ...key, params: { [name]: "..%2F1'%20or%20'1'='1" } }),
          400,
          'INVALID_PARAMETER',
          new RegExp(`^Invalid parameter: ${name}: `),
        );
      if (!spec.body || spec.paid) continue;
      for (const raw of ['[]', '{'])
        codeIs(await callOperation(url, spec, { ...key, raw }), 400, 'VALIDATION_ERROR', /^Validation failed: body: /);
    }
  });
});

describe("another account's resource answers like a missing one, byte for byte", () => {
  // Agents are public, and so are versions and licenses.
  const PUBLIC = ['agent_id', 'licence_id', 'version'];
  const named = (spec: OperationSpec) => {
    const inBody = 'submission_id' in (bodies[spec.id] ?? {});
    return [...parametersOf(spec), ...(inBody ? ['submission_id'] : [])].filter((name) => !PUBLIC.includes(name));
  };

  /** The other ids of a path: an agent names the victim's open project, and a poster names its own. */
  function ownIds(spec: OperationSpec) {
    if (spec.auth !== 'poster') return { ...asker.ids, project_id: victim.ids.project_id };
    const project_id = spec.path.includes('{reference_id}') ? asker.draft : asker.ids.project_id;
    return { ...asker.ids, project_id, webhook_id: asker.posterHook };
  }

  async function answerFor(spec: OperationSpec, name: string, value: string): Promise<string> {
    const body = bodies[spec.id];
    const inBody = body && 'submission_id' in body;
    const params = { ...ownIds(spec), [name]: value };
    const options = { ...keyFor(spec, keys), params };
    return exactAnswer(
      await callOperation(url, spec, {
        ...options,
        ...(body ? { body: inBody ? { ...body, submission_id: params.submission_id } : body } : {}),
      }),
    );
  }

  for (const kind of ['agent', 'poster', 'public'] as const)
    for (const spec of everyOperation.filter((each) => each.auth === kind && named(each).length > 0))
      it(`${spec.id} of ${kind}s`, async () => {
        for (const name of named(spec)) {
          const values = kind === 'poster' ? victim.hiddenFromPosters[name] : victim.hiddenFromAgents[name];
          assert.ok(values?.length, `add foreign values of ${name} to test/support/clients/owned-ids.ts`);
          const missing = await answerFor(spec, name, missingId(name));
          assert.match(missing, /^\[404,/, `${missing}: add a valid body of ${spec.id} to goodBodies`);
          for (const value of values) assert.equal(await answerFor(spec, name, value), missing, name);
        }
      });

  it('and is in no list of the other account', async () => {
    const textOf = async (path: string, key: string) => JSON.stringify((await call(url, 'GET', path, { key })).body);
    for (const list of ['projects', 'keys', 'webhooks', 'events']) {
      const text = await textOf(`/posters/me/${list}`, keys.poster);
      for (const id of [victim.ids.project_id, victim.poster.id, victim.posterHook])
        assert.ok(!text.includes(id), list);
    }
    for (const list of ['submissions', 'keys', 'webhooks', 'events', 'history']) {
      const text = await textOf(`/agents/me/${list}`, keys.agent);
      for (const id of [victim.ids.submission_id, victim.ids.webhook_id]) assert.ok(!text.includes(id), list);
    }
  });

  it('and none of these requests changed anything of the account that was attacked', async () => {
    assert.deepEqual(await victim.state(), before);
  });
});

describe('the contract decides', () => {
  const idsOf = (has: (spec: OperationSpec) => boolean) => everyOperation.filter(has).map(({ id }) => id);

  it('the codes for a missing and a wrong key as the specification does', () => {
    const others: Record<string, string[]> = {};
    for (const spec of everyOperation.filter(({ auth }) => auth !== 'public')) {
      const { missing, invalid } = credentialErrorsOf(spec);
      if (missing !== 'UNAUTHORIZED' || invalid !== 'INVALID_API_KEY')
        (others[`${missing} ${invalid}`] ??= []).push(spec.id);
    }
    for (const id of ['listSpecializations', 'getProject'])
      assert.ok(others['AUTHENTICATION_FAILED AUTHENTICATION_FAILED']?.includes(id), id);
    for (const id of ['requestUpload', 'confirmUpload', 'registerWebhook'])
      assert.ok(others['UNAUTHORIZED UNAUTHORIZED']?.includes(id), id);
    for (const id of ['getMe', 'searchProjects', 'createIntent', 'listKeys'])
      assert.ok(!Object.values(others).flat().includes(id), id);
  });

  it('what suspended and restricted agents may do', () => {
    const open = ['getMe', 'getAgentSession', 'deleteAgentSession', 'cancelWalletChange'];
    assert.deepEqual(idsOf(({ standing }) => standing === 'any').toSorted(), open.toSorted());
    assert.ok(operations.createIntent.standing === 'active' && operations.askQuestion.standing === 'active');
  });

  it('that a scope to read changes nothing, that keys to enter touch only entries, and who refuses a scope', () => {
    const ofCallers = everyOperation.filter(({ auth }) => auth !== 'public');
    for (const spec of ofCallers) {
      const isRead = scopeOf(spec) === 'read';
      assert.ok(!isRead || spec.method === 'get' || spec.session === 'ends', spec.id);
      assert.equal(errorsOf(spec).includes('KEY_SCOPE'), !isRead, spec.id);
      if (scopeOf(spec) === 'enter') assert.match(spec.path, /^\/agents\/(projects|me\/submissions)/);
    }
  });
});

describe('the order of checks', () => {
  const { createIntent: intent, requestUpload: upload } = operations;
  const title = { title: 'Lighthouse' };

  it('of an intent: path, body, resource, state', async () => {
    const [{ key }, project] = [await registerAgent(url), await openProject(world, { entryFeeUsdc: 0 })];
    const params = { project_id: project.id };
    codeIs(await callOperation(url, intent, { key, ...malformed(intent) }), 400, 'INVALID_PARAMETER');
    codeIs(await callOperation(url, intent, { key, body: {} }), 400, 'VALIDATION_ERROR');
    codeIs(await callOperation(url, intent, { key, body: title }), 404, 'PROJECT_NOT_FOUND');
    expectStatus(await asPoster(world, project, ['POST', '/cancel', {}]), 200);
    codeIs(await callOperation(url, intent, { key, params, body: {} }), 400, 'VALIDATION_ERROR');
    codeIs(await callOperation(url, intent, { key, params, body: title }), 409, 'PROJECT_NOT_ACCEPTING');
  });

  it('of an upload: path, header of a payment, resource, state, payment, and the body last', async () => {
    const [{ key }, project] = [await registerAgent(url), await openProject(world)];
    await enter(world, project);
    const { id: submission_id } = await createIntent(url, key, project.id);
    const ask = (params: Record<string, string>, headers = {}): Promise<Answer> =>
      callOperation(url, upload, { key, params, raw: '{', headers });
    codeIs(
      await ask({ project_id: 'x', submission_id: 'y' }, { 'x-forwarded-for': 'x', 'x-payment': 'x' }),
      400,
      'INVALID_PARAMETER',
      /project_id: .*submission_id: /,
    );
    codeIs(await ask({ submission_id }), 404, 'PROJECT_NOT_FOUND');
    codeIs(await ask({ project_id: project.id }), 404, 'SUBMISSION_NOT_FOUND');
    const known = { project_id: project.id, submission_id };
    codeIs(await ask(known), 402, 'PAYMENT_REQUIRED');
    codeIs(await ask(known, { 'x-payment': 'nonsense' }), 402, 'PAYMENT_FAILED');
    expectStatus(await close(world, project), 200);
    codeIs(await ask(known, { 'x-payment': 'nonsense' }), 409, 'PROJECT_NOT_ACCEPTING');
  });
});

describe('a key', () => {
  it('that is cut, changed, malformed, or very long is invalid; a header without a key is none', async () => {
    const { key } = victim.agent;
    for (const wrong of [key.slice(0, -1), key.toUpperCase(), "'or+1=1--", 'k'.repeat(5000), '__proto__'])
      codeIs(await call(url, 'GET', '/agents/me', { key: wrong }), 401, 'INVALID_API_KEY');
    for (const authorization of ['', 'Bearer', 'Bearer ', key, `Bearer ${key} ${key}`])
      codeIs(await call(url, 'GET', '/agents/me', { headers: { authorization } }), 401, 'UNAUTHORIZED');
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   '])
      expectStatus(await call(url, 'GET', '/agents/me', { headers: { authorization: scheme + key } }), 200);
  });

  it('that is missing differs from a wrong one by the message where the code is the same', async () => {
    const { registerWebhook } = operations;
    codeIs(await callOperation(url, registerWebhook), 401, 'UNAUTHORIZED', /^Authentication required$/);
    codeIs(await callOperation(url, registerWebhook, { key: 'wrong' }), 401, 'UNAUTHORIZED', /^Invalid API key$/);
  });

  it('comes before a cookie, and needs no Origin', async () => {
    const { cookie } = callers['the browser of the poster without an Origin']!.headers as { cookie: string };
    const { key } = await registerPoster(url);
    expectStatus(
      await call(url, 'POST', '/posters/me/projects', { key, headers: { cookie }, ...bodyOf(operations.draftProject) }),
      201,
    );
    codeIs(await call(url, 'GET', '/posters/session', { key: 'wrong', headers: { cookie } }), 401, 'INVALID_API_KEY');
  });

  it('starts no session from a page of another site', async () => {
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: `${url}.evil.test` },
      { origin: 'null' },
      { origin: url, 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[])
      for (const spec of everyOperation.filter(({ session }) => session === 'starts'))
        codeIs(await callOperation(url, spec, { headers, ...bodyOf(spec) }), 403, 'ORIGIN_FORBIDDEN');
  });
});
