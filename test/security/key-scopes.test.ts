import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorsOf } from '../../contract/basics/operation.ts';
import {
  type AnyScope,
  covers,
  type KeyScope,
  keyScopes,
  type PosterScope,
  posterScopes,
  scopeOf,
} from '../../contract/basics/scope.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Calls every operation of agents and of posters with a key of each scope. The lists below are decisions: a new operation
// fails until it stands in one of them.

const ofAgents: Record<KeyScope, string[]> = {
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
    'getAgentUnread',
    'listOwnQuestions',
    'listDeliveries',
    'getWebhookDelivery',
    'listAgentWebhooks',
    'getAgentWebhook',
    'listAgentWebhookDeliveries',
    'getAgentWebhookDelivery',
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
    'markAgentEventsSeen',
    'createObjection',
  ],
};

const ofPosters: Record<PosterScope, string[]> = {
  read: [
    'listOwnProjects',
    'getOwnProject',
    'listReferences',
    'listProjectQuestions',
    'listEntries',
    'getDelivery',
    'listPosterEvents',
    'getPosterUnread',
    'listPosterKeys',
    'getSession',
    'deleteSession',
    'getPosterContact',
    'listPosterWebhooks',
    'getPosterWebhook',
    'listPosterWebhookDeliveries',
    'getPosterWebhookDelivery',
  ],
  full: [
    'markPosterEventsSeen',
    'draftProject',
    'updateProject',
    'deleteProject',
    'duplicateProject',
    'addReference',
    'confirmReference',
    'removeReference',
    'publishProject',
    'cancelProject',
    'closeProject',
    'reviewSubmission',
    'noteEntry',
    'closeAndChoose',
    'chooseWinner',
    'answerQuestion',
    'createPosterKey',
    'revokePosterKey',
    'setPosterContact',
    'deletePosterContact',
    'createPosterWebhook',
    'updatePosterWebhook',
    'deletePosterWebhook',
    'rotatePosterWebhookSecret',
    'testPosterWebhook',
    'replayPosterWebhookDelivery',
  ],
};

const MANY = '1000000';
const limits = [
  'AGENT_OPERATIONS_PER_HOUR',
  'AGENT_READS_PER_MINUTE',
  'AGENT_ACCOUNT_PER_MINUTE',
  'PAYMENTS_PER_HOUR',
  'POSTER_PER_MINUTE',
  'POSTER_NOTES_PER_MINUTE',
];
const world = await startWorld({ env: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, MANY])) });
const { url, service, errors } = world;
const { db } = service.deps;
const bodies = goodBodies(url);

const project = await openProject(world);
const agent = await registerAgent(url);
const { id: submissionId } = await createIntent(url, agent.key, project.id);
const ids = { project_id: project.id, projectId: project.id, submission_id: submissionId };
const idOf = (key: string) => key.split('_')[2] ?? '';

/** The two kinds of accounts. `tables`: the rows that a request of this kind could change. */
const accounts: {
  kind: 'agent' | 'poster';
  scopes: readonly AnyScope[];
  decided: Partial<Record<AnyScope, string[]>>;
  id: string;
  key: string;
  tables: string[];
}[] = [
  {
    kind: 'agent',
    scopes: keyScopes,
    decided: ofAgents,
    ...agent,
    tables: [
      'agent_keys',
      'submissions',
      'media_files',
      'payments',
      'webhooks',
      'wallet_challenges',
      'objections',
      'questions',
      'mail_contacts',
    ],
  },
  {
    kind: 'poster',
    scopes: posterScopes,
    decided: ofPosters,
    ...project.poster,
    tables: [
      'poster_keys',
      'projects',
      'project_references',
      'reference_pictures',
      'payments',
      'ai_scores',
      'submissions',
      'entry_notes',
      'questions',
      'webhooks',
      'mail_contacts',
    ],
  },
];
type Account = (typeof accounts)[number];

async function keyOf({ kind, key }: Account, scope: AnyScope): Promise<string> {
  const body = { name: `A program that may ${scope}`, scope };
  return expectStatus(await call(url, 'POST', `/${kind}s/me/keys`, { key, body }), 201).body.data.apiKey;
}

async function rowsOf({ tables }: Account): Promise<unknown> {
  return await Promise.all(
    tables.map((table) => db`select to_jsonb(t) - 'last_used_at' as row from ${db(table)} t order by 1`),
  );
}

describe('the scope of a key', () => {
  it('is named by the contract: KEY_SCOPE is a code of exactly the operations that need more than `read`', () => {
    for (const spec of everyOperation) {
      const isListed = errorsOf(spec).includes('KEY_SCOPE');
      const hasScope = spec.auth === 'agent' || spec.auth === 'poster';
      assert.equal(isListed, hasScope && scopeOf(spec) !== 'read', spec.id);
    }
  });

  for (const account of accounts) {
    const { kind, scopes, decided } = account;
    const specs = everyOperation.filter(({ auth }) => auth === kind);
    const params = { ...ids, key_id: idOf(account.key) };
    const [most] = scopes.toReversed();

    it(`is decided for every operation of ${kind}s`, () => {
      const actual = (scope: AnyScope) => specs.filter((spec) => scopeOf(spec) === scope).map(({ id }) => id);
      for (const scope of scopes) assert.deepEqual(actual(scope).toSorted(), decided[scope]?.toSorted(), scope);
      assert.equal(scopes.flatMap(actual).length, specs.length);
    });

    for (const held of scopes.filter((scope) => scope !== most))
      it(`${held} of ${kind}s: other operations answer 403 KEY_SCOPE and change nothing`, async () => {
        const key = await keyOf(account, held);
        const before = await rowsOf(account);
        for (const spec of specs.filter((each) => !covers(held, scopeOf(each)))) {
          const body = bodies[spec.id];
          const answer = await callOperation(url, spec, { key, params, ...(body ? { body } : {}) });
          assert.deepEqual([answer.status, answer.body.error?.code], [403, 'KEY_SCOPE'], spec.id);
          assert.match(answer.body.error.message, new RegExp(`scope ${scopeOf(spec)}\\..*scope ${held}\\.`));
        }
        assert.deepEqual(await rowsOf(account), before);
      });

    it(`read of ${kind}s: its operations change nothing`, async () => {
      const key = await keyOf(account, 'read');
      const before = await rowsOf(account);
      for (const spec of specs.filter((each) => scopeOf(each) === 'read')) {
        const answer = await callOperation(url, spec, { key, params });
        assert.ok(![401, 403].includes(answer.status) && answer.status < 500, `${spec.id}: ${answer.status}`);
      }
      assert.deepEqual(await rowsOf(account), before);
    });

    for (const held of scopes)
      it(`${held} of ${kind}s: the operations of this scope and of lesser ones answer`, async () => {
        for (const spec of specs.filter((each) => covers(held, scopeOf(each)))) {
          const key = await keyOf(account, held);
          const body = bodies[spec.id];
          const answer = await callOperation(url, spec, { key, ...(body ? { body } : {}) });
          assert.ok(![401, 403].includes(answer.status) && answer.status < 500, `${spec.id}: ${answer.status}`);
          // Keeps the account below its number of keys.
          const [keys, owner] = [db(`${kind}_keys`), db(`${kind}_id`)];
          await db`delete from ${keys} where ${owner} = ${account.id} and name is not null`;
        }
      });
  }

  it('changed nothing for the first keys, and the service logged no errors', async () => {
    expectStatus(await call(url, 'GET', '/agents/me', { key: agent.key }), 200);
    expectStatus(await call(url, 'GET', '/posters/me/projects', { key: project.poster.key }), 200);
    assert.deepEqual(errors, []);
  });
});
