import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorsOf } from '../../contract/basics/operation.ts';
import { covers, type KeyScope, keyScopes, scopeOf } from '../../contract/basics/scope.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Calls every operation of agents with a key of each scope. The lists below are decisions: a new operation fails until it
// stands in one of them.

const decided: Record<KeyScope, string[]> = {
  read: [
    'getMe',
    'getAgentMoney',
    'listKeys',
    'getAnalytics',
    'listHistory',
    'listSpecializations',
    'searchProjects',
    'recommendProjects',
    'getProject',
    'listSubmissions',
    'getSubmission',
    'listOwnFiles',
    'getManifest',
    'getAgentSession',
    'deleteAgentSession',
    'getWebhook',
    'listAgentEvents',
    'listOwnQuestions',
    'listDeliveries',
    'listAgentWebhooks',
    'getAgentWebhook',
    'listAgentWebhookDeliveries',
  ],
  enter: [
    'createIntent',
    'deleteIntent',
    'quoteEntry',
    'preflightPicture',
    'requestUpload',
    'confirmUpload',
    'askQuestion',
  ],
  owner: [
    'updateMe',
    'setBudget',
    'createKey',
    'rotateKey',
    'revokeKey',
    'challengeWallet',
    'linkWallet',
    'cancelWalletChange',
    'registerWebhook',
    'deleteWebhook',
    'testWebhook',
    'replayDelivery',
    'createAgentWebhook',
    'updateAgentWebhook',
    'deleteAgentWebhook',
    'rotateAgentWebhookSecret',
    'testAgentWebhook',
    'replayAgentWebhookDelivery',
    'getAgentContact',
    'setAgentContact',
    'deleteAgentContact',
    'createObjection',
  ],
};

const MANY = '1000000';
const limits = ['AGENT_OPERATIONS_PER_HOUR', 'AGENT_READS_PER_MINUTE', 'AGENT_ACCOUNT_PER_MINUTE', 'PAYMENTS_PER_HOUR'];
const world = await startWorld({ env: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, MANY])) });
const { url, service, errors } = world;
const { db } = service.deps;
const ofAgents = everyOperation.filter(({ auth }) => auth === 'agent');
const bodies = goodBodies(url);

const project = await openProject(world);
const agent = await registerAgent(url);
const { id: submissionId } = await createIntent(url, agent.key, project.id);
const params = {
  project_id: project.id,
  projectId: project.id,
  submission_id: submissionId,
  key_id: agent.key.split('_')[2] ?? '',
};

async function keyOf(scope: KeyScope): Promise<string> {
  const body = { name: `A program that may ${scope}`, scope };
  return expectStatus(await call(url, 'POST', '/agents/me/keys', { key: agent.key, body }), 201).body.data.apiKey;
}

/** Returns the rows that a request of an agent could change. */
async function changeable(): Promise<unknown> {
  return await Promise.all(
    [
      'agent_keys',
      'submissions',
      'media_files',
      'payments',
      'webhooks',
      'wallet_challenges',
      'objections',
      'questions',
      'mail_contacts',
    ].map((table) => db`select to_jsonb(t) - 'last_used_at' as row from ${db(table)} t order by 1`),
  );
}

describe('the scope of a key', () => {
  it('is decided for every operation of agents', () => {
    const actual = Object.fromEntries(
      keyScopes.map((scope) => [scope, ofAgents.filter((spec) => scopeOf(spec) === scope).map(({ id }) => id)]),
    );
    for (const scope of keyScopes) assert.deepEqual(actual[scope]?.toSorted(), decided[scope].toSorted(), scope);
  });

  it('is named by the contract: KEY_SCOPE is a code of exactly the operations that need more than `read`', () => {
    for (const spec of everyOperation) {
      const isListed = errorsOf(spec).includes('KEY_SCOPE');
      assert.equal(isListed, spec.auth === 'agent' && scopeOf(spec) !== 'read', spec.id);
    }
  });

  for (const held of ['read', 'enter'] as const)
    it(`${held}: other operations answer 403 KEY_SCOPE and change nothing`, async () => {
      const key = await keyOf(held);
      const before = await changeable();
      for (const spec of ofAgents.filter((each) => !covers(held, scopeOf(each)))) {
        const body = bodies[spec.id];
        const answer = await callOperation(url, spec, { key, params, ...(body ? { body } : {}) });
        assert.deepEqual([answer.status, answer.body.error?.code], [403, 'KEY_SCOPE'], spec.id);
        assert.match(answer.body.error.message, new RegExp(`scope ${scopeOf(spec)}\\..*scope ${held}\\.`));
      }
      assert.deepEqual(await changeable(), before);
    });

  for (const held of keyScopes)
    it(`${held}: the operations of this scope and of lesser ones answer`, async () => {
      for (const spec of ofAgents.filter((each) => covers(held, scopeOf(each)))) {
        const key = await keyOf(held);
        const body = bodies[spec.id];
        const answer = await callOperation(url, spec, { key, ...(body ? { body } : {}) });
        assert.ok(![401, 403].includes(answer.status) && answer.status < 500, `${spec.id}: ${answer.status}`);
        // Keeps the agent below its number of keys.
        await db`delete from agent_keys where agent_id = ${agent.id} and name is not null`;
      }
    });

  it('changed nothing for the first key, and the service logged no errors', async () => {
    expectStatus(await call(url, 'GET', '/agents/me', { key: agent.key }), 200);
    assert.deepEqual(errors, []);
  });
});
