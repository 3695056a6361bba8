import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../../contract/basics/errors.ts';
import { type Auth, credentialErrorsOf, type OperationSpec } from '../../contract/basics/operation.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import {
  brief,
  createIntent,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
} from '../support/clients/journey.ts';
import { callOperation, exactAnswer, goodBodies, missingId, parametersOf } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Calls every operation of the contract with every kind of caller and compares the result with the lists below. The
// test takes only the audience from the operations. An operation that admits more agents than these lists fails.

/** "suspended: GET /agents/me alone." The owner can also see and end the sessions. */
const OPEN_TO_SUSPENDED = ['getMe', 'getAgentSession', 'deleteAgentSession'];
/** "limited: no new intents", and no new payments: the upload request below is for an unpaid submission. */
const FOR_ACTIVE_ALONE = ['createIntent', 'requestUpload', 'askQuestion'];

type Who =
  | 'nobody'
  | 'a malformed key'
  | 'an agent'
  | 'a poster'
  | 'the operator'
  | 'a revoked key'
  | 'a suspended agent'
  | 'a limited agent'
  | 'an agent under review';
/** `missing` and `invalid`: the operation's two codes for a 401. */
type Decided = 'admitted' | 'missing' | 'invalid' | 'AGENT_SUSPENDED' | 'AGENT_RESTRICTED';

const keyOfAgent: Who[] = ['an agent', 'a suspended agent', 'a limited agent', 'an agent under review'];
const admitted: Record<Exclude<Auth, 'public'>, Who[]> = {
  agent: keyOfAgent,
  poster: ['a poster'],
  operator: ['the operator'],
};

function decidedFor({ id, auth }: OperationSpec, who: Who): Decided {
  if (auth === 'public') return 'admitted';
  if (who === 'nobody') return 'missing';
  if (!admitted[auth].includes(who)) return 'invalid';
  if (who === 'a suspended agent' && !OPEN_TO_SUSPENDED.includes(id)) return 'AGENT_SUSPENDED';
  const restricted = who === 'a limited agent' || who === 'an agent under review';
  return restricted && FOR_ACTIVE_ALONE.includes(id) ? 'AGENT_RESTRICTED' : 'admitted';
}

const MANY = '1000000';
const limits = [
  'AGENT_OPERATIONS_PER_HOUR',
  'AGENT_READS_PER_MINUTE',
  'AGENT_ACCOUNT_PER_MINUTE',
  'PREFLIGHTS_PER_HOUR',
  'WEBHOOK_TESTS_PER_HOUR',
  'PAYMENTS_PER_HOUR',
  'FAILED_PAYMENTS_PER_HOUR',
  'POSTER_PER_MINUTE',
];
const world = await startWorld({ env: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, MANY])) });
const { url, operatorKey, service, errors } = world;
const { db } = service.deps;
// The requests are valid, so only the caller can be the reason for a refusal.
const bodies = {
  ...goodBodies(url),
  rotateKey: { grace_seconds: 86_400 },
  createOperatorSession: { api_key: operatorKey },
} as Record<string, object>;

const project = await openProject(world);
const draft = expectStatus(
  await call(url, 'POST', '/posters/me/projects', { key: project.poster.key, body: brief() }),
  201,
).body.data.project as { id: string };

/** Creates an agent with an unpaid intent, two webhooks, and a status. */
async function agentWith(status: 'active' | 'suspended' | 'limited' | 'under_review') {
  const agent = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, agent.key, project.id);
  const webhook = { webhook_url: 'http://127.0.0.1:1/hooks' };
  expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body: webhook }), 201);
  const more = { url: 'http://127.0.0.1:1/hooks', types: ['SUBMISSION.WON'] };
  const added = await call(url, 'POST', '/agents/me/webhooks', { key: agent.key, body: more });
  const webhookId = expectStatus(added, 201).body.data.webhook.id as string;
  const body = { status, reason: 'A test' };
  expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
  return { ...agent, submissionId, webhookId };
}

async function revoked(): Promise<string> {
  const { key } = await agentWith('active');
  expectStatus(await call(url, 'DELETE', `/agents/me/keys/${key.split('_')[2]}`, { key }), 200);
  return key;
}

const agents = {
  'an agent': await agentWith('active'),
  'a suspended agent': await agentWith('suspended'),
  'a limited agent': await agentWith('limited'),
  'an agent under review': await agentWith('under_review'),
};
const victim = await agentWith('active');
const entered = await enter(world, await openProject(world, { entryFeeUsdc: 0 }), { wallet: 'none' });
// The event goes only to the other agents. This agent never gets one.
await until('all are told', async () => (await db`select 1 from webhook_fan_outs where done_at is null`).length === 0);
const asker = await agentWith('active');
const keys: Record<Who, string | undefined> = {
  nobody: undefined,
  'a malformed key': "ck_test_'or+1=1--",
  'an agent': agents['an agent'].key,
  'a poster': (await registerPoster(url)).key,
  'the operator': operatorKey,
  'a revoked key': await revoked(),
  'a suspended agent': agents['a suspended agent'].key,
  'a limited agent': agents['a limited agent'].key,
  'an agent under review': agents['an agent under review'].key,
};

/** Ids of existing resources of another caller, which a refused caller requests. */
const real: Record<string, string> = {
  project_id: project.id,
  projectId: project.id,
  submission_id: victim.submissionId,
  key_id: victim.key.split('_')[2]!,
  agent_id: victim.id,
  webhook_id: victim.webhookId,
};

function ask(spec: OperationSpec, who: Who, params: Record<string, string>): Promise<Answer> {
  const key = keys[who];
  const body = bodies[spec.id];
  // Send the Origin of the service's own pages, because only they can start sessions.
  const headers = { origin: url };
  return callOperation(url, spec, { params, headers, ...(key ? { key } : {}), ...(body ? { body } : {}) });
}

const asAsker = (spec: OperationSpec, params: Record<string, string>) =>
  callOperation(url, spec, { key: asker.key, params, ...(bodies[spec.id] ? { body: bodies[spec.id] } : {}) });

/** Returns the caller's own intent and otherwise unknown ids, so that admitted requests change no other resource. */
function ownParams(who: Who): Record<string, string> {
  const own = agents[who as keyof typeof agents] as { submissionId: string } | undefined;
  return own ? { project_id: project.id, submission_id: own.submissionId } : {};
}

/** Returns all data that a request could have changed, without the data that the service changes by itself. */
async function everything(): Promise<unknown> {
  const ownTables =
    /^(?:ledger_check|audit_(?:chain|head|waiting)$|figure_checks|signer_lanes|treasury_scans|webhook_|publication_clock|late_publications|events$|event_)/;
  const ownColumns = [
    'last_active_at',
    'last_used_at',
    'compared',
    'upload_removed',
    'failing_since',
    'slow',
    'trial_at',
    'verified_at',
  ];
  const tables = await db<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not c.relispartition order by 1`;
  const rows: Record<string, unknown> = {};
  for (const { name } of tables.filter((table) => !ownTables.test(table.name))) {
    const row = db`(to_jsonb(t) - ${ownColumns}::text[])::text`;
    [rows[name]] =
      await db`select count(*) as count, md5(string_agg(${row}, '' order by ${row})) as md5 from ${db(name)} t`;
  }
  return rows;
}

function assertDecided(spec: OperationSpec, who: Who, answer: Answer, decided: Decided): void {
  const label = `${spec.id} by ${who}: ${answer.status} ${answer.body.error?.code ?? ''}`;
  if (decided === 'admitted') {
    // The ids belong to nothing, so any answer is fine except a refusal of the caller or a fault.
    assert.ok(![401, 403].includes(answer.status) && answer.status < 500, label);
    return;
  }
  const codes = {
    ...credentialErrorsOf(spec),
    AGENT_SUSPENDED: 'AGENT_SUSPENDED',
    AGENT_RESTRICTED: 'AGENT_RESTRICTED',
  };
  const expected = codes[decided] as ErrorCode;
  const status = decided === 'missing' || decided === 'invalid' ? 401 : 403;
  assert.deepEqual([answer.status, answer.body.error?.code], [status, expected], label);
}

describe('every operation', () => {
  for (const who of Object.keys(keys) as Who[]) {
    it(`by ${who}: a refusal matches the decision and changes nothing`, async () => {
      const refusedOnes = everyOperation.filter((spec) => decidedFor(spec, who) !== 'admitted');
      const before = await everything();
      for (const spec of refusedOnes) {
        const decided = decidedFor(spec, who);
        assertDecided(spec, who, await ask(spec, who, { ...real, ...ownParams(who) }), decided);
        // The answer for an unknown id is the same, so a refusal does not reveal what exists.
        if (decided === 'missing' || decided === 'invalid')
          assert.equal(exactAnswer(await ask(spec, who, {})), exactAnswer(await ask(spec, who, real)), spec.id);
      }
      assert.deepEqual(await everything(), before);
    });

    it(`by ${who}: the other operations answer`, async () => {
      const open = everyOperation.filter((spec) => decidedFor(spec, who) === 'admitted');
      for (const spec of open) assertDecided(spec, who, await ask(spec, who, ownParams(who)), 'admitted');
    });
  }

  it('is tested with each caller, and each decided answer occurs', () => {
    const all = everyOperation.flatMap((spec) => (Object.keys(keys) as Who[]).map((who) => decidedFor(spec, who)));
    assert.equal(all.length, everyOperation.length * 9);
    const kinds: Decided[] = ['admitted', 'missing', 'invalid', 'AGENT_SUSPENDED', 'AGENT_RESTRICTED'];
    assert.deepEqual(new Set(all), new Set(kinds));
    for (const id of [...OPEN_TO_SUSPENDED, ...FOR_ACTIVE_ALONE])
      assert.ok(
        everyOperation.some((spec) => spec.id === id),
        id,
      );
  });
});

describe("another agent's resource, or one not yet open to agents, answers like a missing one, byte for byte", () => {
  /** Ids of other callers' resources by parameter name. The other ids of a path belong to the caller. */
  const foreign: Record<string, string[]> = {
    submission_id: [victim.submissionId, entered.submissionId, agents['a suspended agent'].submissionId],
    project_id: [draft.id],
    projectId: [draft.id],
    key_id: [victim.key.split('_')[2]!, keys['a revoked key']!.split('_')[2]!],
    webhook_id: [victim.webhookId],
  };
  const own = { project_id: project.id, submission_id: asker.submissionId, webhook_id: asker.webhookId };
  // Every agent is public, and the owners of entries are public in completed projects. So are versions and licenses.
  const PUBLIC = ['agent_id', 'licence_id', 'version'];
  const operations = everyOperation.filter(
    ({ auth, ...spec }) => (auth === 'agent' || auth === 'public') && parametersOf({ auth, ...spec }).length > 0,
  );
  // foreign.test.ts tests posters, in every state of a project.

  for (const spec of operations) {
    it(spec.id, async () => {
      for (const name of parametersOf(spec).filter((each) => !PUBLIC.includes(each))) {
        const events = await db<{ id: string }[]>`select id from webhook_events`;
        const values = name === 'delivery_id' ? events.map(({ id }) => id) : foreign[name];
        assert.ok(values && values.length > 0, `${name}: say what is foreign`);
        const before = await everything();
        const missing = exactAnswer(await asAsker(spec, { ...own, [name]: missingId(name) }));
        assert.match(missing, /^\[404,/, missing);
        // The caller's webhook exists, and only the delivery is missing.
        if (name === 'delivery_id') assert.match(missing, /No such delivery/);
        for (const value of values)
          assert.equal(exactAnswer(await asAsker(spec, { ...own, [name]: value })), missing, name);
        assert.deepEqual(await everything(), before);
      }
    });
  }
});

it('the service logged no errors', () => {
  assert.deepEqual(errors, []);
});
