import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorCode } from '../../contract/errors.ts';
import { type Auth, credentialErrorsOf, type OperationSpec } from '../../contract/operation.ts';
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

// Who may do what: every operation of the contract with every kind of caller, against what was decided. Nothing here is
// taken from the operations but who they are for: an operation that lets more agents in than these lists say fails.

/** "suspended: GET /agents/me alone." */
const OPEN_TO_SUSPENDED = ['getMe'];
/** "limited: no new intents", nor new payments: what is asked for here is an upload that nobody has paid. */
const FOR_ACTIVE_ALONE = ['createIntent', 'requestUpload'];

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
/** `missing` and `invalid`: the operation's two codes of a 401. */
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
  'WEBHOOK_TESTS_PER_HOUR',
  'PAYMENTS_PER_HOUR',
  'FAILED_PAYMENTS_PER_HOUR',
  'POSTER_PER_MINUTE',
];
const world = await startWorld({ env: Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, MANY])) });
const { url, operatorKey, service, errors } = world;
const { db } = service.deps;
// What they ask for is as it should be, so that nothing but the caller is refused.
const bodies = { ...goodBodies(url), rotateKey: { grace_seconds: 86_400 } } as Record<string, object>;

const project = await openProject(world);
const draft = expectStatus(
  await call(url, 'POST', '/posters/me/projects', { key: project.poster.key, body: brief() }),
  201,
).body.data.project as { id: string };

/** With an intent that is not paid, a webhook, and a status. */
async function agentWith(status: 'active' | 'suspended' | 'limited' | 'under_review') {
  const agent = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, agent.key, project.id);
  const webhook = { webhook_url: 'http://127.0.0.1:1/hooks' };
  expectStatus(await call(url, 'POST', '/agents/webhooks/projects', { key: agent.key, body: webhook }), 201);
  const body = { status, reason: 'A test' };
  expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
  return { ...agent, submissionId };
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
// What opens is told to others alone: to this one nothing was ever sent.
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

/** Of somebody: what a refused caller asks for is there. */
const real: Record<string, string> = {
  project_id: project.id,
  projectId: project.id,
  submission_id: victim.submissionId,
  key_id: victim.key.split('_')[2]!,
  agent_id: victim.id,
};

function ask(spec: OperationSpec, who: Who, params: Record<string, string>): Promise<Answer> {
  const key = keys[who];
  const body = bodies[spec.id];
  // As a page of the service would: sessions are started by those alone.
  const headers = { origin: url };
  return callOperation(url, spec, { params, headers, ...(key ? { key } : {}), ...(body ? { body } : {}) });
}

const asAsker = (spec: OperationSpec, params: Record<string, string>) =>
  callOperation(url, spec, { key: asker.key, params, ...(bodies[spec.id] ? { body: bodies[spec.id] } : {}) });

/** The caller's own intent, and otherwise what is nobody's: what is allowed takes nothing from anyone. */
function ownParams(who: Who): Record<string, string> {
  const own = agents[who as keyof typeof agents] as { submissionId: string } | undefined;
  return own ? { project_id: project.id, submission_id: own.submissionId } : {};
}

/** All that a request could have changed, but for what the service writes by itself. */
async function everything(): Promise<unknown> {
  const ownTables = /^(?:ledger_check|figure_checks|signer_lanes|treasury_scans|webhook_)/;
  const ownColumns = ['last_active_at', 'compared', 'upload_removed', 'failing_since', 'slow'];
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
    // Whatever it is told then: what it asked for is nobody's.
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
    it(`by ${who}: what is refused is refused as decided, and changes nothing`, async () => {
      const refusedOnes = everyOperation.filter((spec) => decidedFor(spec, who) !== 'admitted');
      const before = await everything();
      for (const spec of refusedOnes) {
        const decided = decidedFor(spec, who);
        assertDecided(spec, who, await ask(spec, who, { ...real, ...ownParams(who) }), decided);
        // Nor does it tell what is there: with ids that are nobody's the answer is the same.
        if (decided === 'missing' || decided === 'invalid')
          assert.equal(exactAnswer(await ask(spec, who, {})), exactAnswer(await ask(spec, who, real)), spec.id);
      }
      assert.deepEqual(await everything(), before);
    });

    it(`by ${who}: the others are answered`, async () => {
      const open = everyOperation.filter((spec) => decidedFor(spec, who) === 'admitted');
      for (const spec of open) assertDecided(spec, who, await ask(spec, who, ownParams(who)), 'admitted');
    });
  }

  it('is in here with each caller, and each answer that was decided comes', () => {
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

describe("what is another agent's, or not for agents yet, is as what is not there, byte for byte", () => {
  /** By the name of the parameter: what there is of others, beside it in a path what is the asker's own. */
  const foreign: Record<string, string[]> = {
    submission_id: [victim.submissionId, entered.submissionId, agents['a suspended agent'].submissionId],
    project_id: [draft.id],
    projectId: [draft.id],
    key_id: [victim.key.split('_')[2]!, keys['a revoked key']!.split('_')[2]!],
  };
  const own: Record<string, string> = { project_id: project.id, submission_id: asker.submissionId };
  // Everybody may look at every agent, and which entries are whose is public once a project is completed.
  const PUBLIC = ['agent_id'];
  const operations = everyOperation.filter(
    ({ auth, ...spec }) => (auth === 'agent' || auth === 'public') && parametersOf({ auth, ...spec }).length > 0,
  );
  // Posters: foreign.test.ts, in every state of a project.

  for (const spec of operations) {
    it(spec.id, async () => {
      for (const name of parametersOf(spec).filter((each) => !PUBLIC.includes(each))) {
        const events = await db<{ id: string }[]>`select id from webhook_events`;
        const values = name === 'delivery_id' ? events.map(({ id }) => id) : foreign[name];
        assert.ok(values && values.length > 0, `${name}: say what is foreign`);
        const before = await everything();
        const missing = exactAnswer(await asAsker(spec, { ...own, [name]: missingId(name) }));
        assert.match(missing, /^\[404,/, missing);
        // Its webhook is there: it is the delivery that is not.
        if (name === 'delivery_id') assert.match(missing, /No such delivery/);
        for (const value of values)
          assert.equal(exactAnswer(await asAsker(spec, { ...own, [name]: value })), missing, name);
        assert.deepEqual(await everything(), before);
      }
    });
  }
});

it('nothing was logged as an error', () => {
  assert.deepEqual(errors, []);
});
