import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standingOperations } from '../../contract/agents/standing.ts';
import { call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { choose, close, enter as compete } from '../support/clients/contestants.ts';
import { codeIs, entriesOf, picture } from '../support/clients/entries.ts';
import {
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const DAY_MS = 86_400_000;
/** While set, settlements wait for this promise. */
let gate: Promise<void> | null = null;
let atGate: () => void = () => {};

const world = await startWorld({
  env: { LIMIT_FAILED_PAYMENTS_PER_HOUR: '2', LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000' },
  wrap: ({ facilitator }) => ({
    facilitator: {
      ...facilitator,
      async settle(payment, prepared) {
        if (gate) {
          atGate();
          await gate;
        }
        return await facilitator.settle(payment, prepared);
      },
    },
  }),
});
const { url, operatorKey, clock, service, errors } = world;
const { db, chain } = service.deps;
const { enter, confirmOf } = entriesOf(world);

type Status = 'active' | 'limited' | 'suspended' | 'under_review';

const setStatus = (id: string, status: Status, more: object = {}) =>
  call(url, 'PUT', `/operator/agents/${id}/status`, {
    key: operatorKey,
    body: { status, reason: 'Complaints of two posters', ...more },
  });
const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString();
const profileOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.agent as Record<string, unknown>;
const trailOf = async (id: string) =>
  expectStatus(await call(url, 'GET', `/operator/audit?subject=agent:${id}`, { key: operatorKey }), 200).body.data
    .entries as { actor: string; reason: string; details: Record<string, unknown> }[];

describe('an agent whose status the operator sets', () => {
  it('reads the status, its reason, and its end in its profile and in refusals', async () => {
    const { id, key } = await registerAgent(url);
    const end = inSeconds(3_600);
    const set = expectStatus(await setStatus(id, 'suspended', { until: end }), 200).body.data.agent;
    assert.deepEqual(
      [set.status, set.status_reason, set.status_until],
      ['suspended', 'Complaints of two posters', end],
    );
    const { status, statusReason, statusUntil } = await profileOf(key);
    assert.deepEqual([status, statusReason, statusUntil], ['suspended', 'Complaints of two posters', end]);
    // The process that received the change refuses at once.
    const refused = await call(url, 'GET', '/agents/projects', { key });
    codeIs(refused, 403, 'AGENT_SUSPENDED', new RegExp(`until ${end}.*Complaints of two posters`));
    assert.deepEqual(refused.body.error.details, [
      { field: 'status', message: 'suspended' },
      { field: 'reason', message: 'Complaints of two posters' },
      { field: 'until', message: end },
    ]);
    codeIs(await setStatus(id, 'limited', { instead_of: 'active' }), 409, 'OPERATOR_CONFLICT', /is suspended: Compl/);
    const [line] = await trailOf(id);
    assert.deepEqual(
      [line?.actor, line?.reason, line?.details],
      ['operator', 'Complaints of two posters', { from: 'active', to: 'suspended', until: end }],
    );
  });

  it('is active again after the end, or by the operator', async () => {
    const { id, key } = await registerAgent(url);
    expectStatus(await setStatus(id, 'suspended', { until: inSeconds(60) }), 200);
    codeIs(await call(url, 'GET', '/agents/projects', { key }), 403, 'AGENT_SUSPENDED');
    clock.offsetMs += 60_000;
    expectStatus(await call(url, 'GET', '/agents/projects', { key }), 200);
    const { status, statusReason, statusUntil } = await profileOf(key);
    assert.deepEqual([status, statusReason, statusUntil], ['active', null, null]);
    await until('the timer', async () => (await trailOf(id)).length === 2);
    assert.equal((await trailOf(id))[0]?.actor, 'timer');
    expectStatus(await setStatus(id, 'limited'), 200);
    expectStatus(await setStatus(id, 'active', { reason: 'All was explained' }), 200);
    const detail = expectStatus(await call(url, 'GET', `/operator/agents/${id}`, { key: operatorKey }), 200).body.data;
    type Change = { actor: string; from: string; to: string; reason: string };
    assert.deepEqual(
      detail.agent.status_changes.map(({ actor, from, to }: Change) => `${actor}: ${from} to ${to}`),
      [
        'operator: limited to active',
        'operator: active to limited',
        'timer: suspended to active',
        'operator: active to suspended',
      ],
    );
  });

  it('cannot get an unknown status, a status without a reason, or an invalid end', async () => {
    const { id } = await registerAgent(url);
    const body = (given: object) =>
      call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body: given });
    for (const given of [
      { status: 'banned', reason: 'A reason' },
      { status: 'limited' },
      { status: 'limited', reason: ' ' },
      { status: 'limited', reason: 'A reason', until: 'tomorrow' },
      { status: 'limited', reason: 'A reason', until: '2020-01-01T00:00:00Z' },
      { status: 'active', reason: 'A reason', until: '2099-01-01T00:00:00Z' },
    ])
      codeIs(await body(given), 400, 'VALIDATION_ERROR');
    assert.deepEqual(await trailOf(id), []);
  });
});

describe('a paid submission', () => {
  for (const status of ['limited', 'under_review'] as const) {
    it(`is uploaded and confirmed by an agent that is ${status}, which can start and pay nothing new`, async () => {
      const [first, second] = [await openProject(world), await openProject(world)];
      const [paid, fresh] = [await enter(first.id), await enter(second.id)];
      const payer = newPayer();
      await fund(url, payer.address, 5);
      expectStatus(await requestUpload(url, { ...paid, fetch: payer.pay }), 200);
      const payment = await signPayment(payer, await requestUpload(url, fresh));
      for (const { agentId } of [paid, fresh]) expectStatus(await setStatus(agentId, status), 200);
      // The agent gets a new URL for the paid entry.
      const granted = expectStatus(await requestUpload(url, paid), 200);
      assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
      expectStatus(await confirmOf(paid), 200);
      const balance = await chain.balanceMicro(payer.address);
      codeIs(await requestUpload(url, fresh), 403, 'AGENT_RESTRICTED');
      codeIs(await requestUpload(url, { ...fresh, headers: payment }), 403, 'AGENT_RESTRICTED');
      assert.equal(await chain.balanceMicro(payer.address), balance);
      assert.equal((await db`select 1 from payments where subject_id = ${fresh.submissionId}`).length, 0);
      const intent = await call(url, 'POST', `/agents/projects/${second.id}/intent`, {
        key: paid.key,
        body: { title: 'Another' },
      });
      codeIs(intent, 403, 'AGENT_RESTRICTED');
    });
  }

  it('is not started right after the operator’s change, whatever another process has cached', async () => {
    const [first, second] = [await openProject(world), await openProject(world)];
    const entry = await enter(first.id);
    const payer = newPayer();
    await fund(url, payer.address, 5);
    const payment = await signPayment(payer, await requestUpload(url, entry));
    // Write the change as another process does, without notifying this one.
    await db`update agents set status = 'limited', status_reason = 'A test' where id = ${entry.agentId}`;
    const intent = { key: entry.key, body: { title: 'Another' } };
    codeIs(await call(url, 'POST', `/agents/projects/${second.id}/intent`, intent), 403, 'AGENT_RESTRICTED', /A test/);
    await profileOf(entry.key);
    codeIs(await requestUpload(url, { ...entry, headers: payment }), 403, 'AGENT_RESTRICTED', /A test/);
    assert.equal(await chain.balanceMicro(payer.address), 5_000_000);
    const written = await db`
      select 1 from payments where subject_id = ${entry.submissionId}
      union all select 1 from submissions where agent_id = ${entry.agentId} and project_id = ${second.id}`;
    assert.equal(written.length, 0);
  });

  it('settles although the agent becomes limited: the claimed payment is booked and gives its URL', async () => {
    const { id } = await openProject(world);
    const entry = await enter(id);
    const payer = newPayer();
    await fund(url, payer.address, 5);
    const payment = await signPayment(payer, await requestUpload(url, entry));
    let open: () => void = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const reached = new Promise<void>((resolve) => (atGate = resolve));
    const paying = requestUpload(url, { ...entry, headers: payment });
    await reached;
    expectStatus(await setStatus(entry.agentId, 'limited'), 200);
    const asking = requestUpload(url, entry);
    gate = null;
    open();
    expectStatus(await paying, 200);
    expectStatus(await asking, 200);
  });

  it('stays in the competition: a suspended agent wins and is paid', async () => {
    const project = await openProject(world, { prizeUsdc: 2 });
    const winner = await compete(world, project);
    expectStatus(await setStatus(winner.id, 'suspended'), 200);
    expectStatus(await close(world, project), 200);
    const before = await chain.balanceMicro(winner.payer.address);
    expectStatus(await choose(world, project, winner), 200);
    await until('the prize', async () => (await chain.balanceMicro(winner.payer.address)) === before + 1_900_000);
    assert.equal((await profileOf(winner.key))['status'], 'suspended');
  });
});

describe('failed payments', () => {
  it('up to the limit on three days limit the agent for 24 hours', async () => {
    const deadline = new Date(clock.now().getTime() + 30 * DAY_MS);
    const { id: projectId } = await openProject(world, { deadline });
    const { id, key } = await registerAgent(url);
    const { id: submissionId } = await createIntent(url, key, projectId);
    const pay = () =>
      requestUpload(url, { key, projectId, submissionId, sizeBytes: 10, headers: { 'x-payment': 'none' } });
    for (let day = 1; day <= 3; day += 1) {
      codeIs(await pay(), 402, 'PAYMENT_FAILED');
      assert.equal((await profileOf(key))['status'], 'active');
      codeIs(await pay(), 402, 'PAYMENT_FAILED');
      if (day === 3) break;
      codeIs(await pay(), 429, 'RATE_LIMITED');
      assert.equal((await profileOf(key))['status'], 'active');
      clock.offsetMs += DAY_MS;
    }
    // The status starts with the last answer of the third day.
    const { status, statusReason, statusUntil } = await profileOf(key);
    assert.deepEqual(
      [status, statusReason],
      ['limited', 'The limit of failed payments was reached on 3 days within 7 days.'],
    );
    const left = Date.parse(String(statusUntil)) - clock.now().getTime();
    assert.ok(left > DAY_MS - 60_000 && left <= DAY_MS, `${left}`);
    const other = await openProject(world, { deadline });
    const intent = { key, body: { title: 'Another' } };
    codeIs(await call(url, 'POST', `/agents/projects/${other.id}/intent`, intent), 403, 'AGENT_RESTRICTED');
    assert.deepEqual(
      (await trailOf(id)).map(({ actor }) => actor),
      ['system'],
    );
    const { agent } = expectStatus(await call(url, 'GET', `/operator/agents/${id}`, { key: operatorKey }), 200).body
      .data;
    assert.equal(agent.failed_payment_days.length, 3);
    clock.offsetMs += left;
    expectStatus(await call(url, 'POST', `/agents/projects/${other.id}/intent`, intent), 201);
  });
});

describe("the operator's list of agents", () => {
  const list = async (query: Record<string, string>) =>
    expectStatus(
      await call(url, 'GET', `/operator/agents?${new URLSearchParams(query).toString()}`, { key: operatorKey }),
      200,
    ).body.data as { agents: { id: string; name: string; status: string }[]; next_cursor: string | null };

  it('is sorted newest first, by page, and filtered', async () => {
    const agents = [];
    for (const name of ['Listed one', 'Listed two', 'Listed three']) {
      agents.push(await registerAgent(url, { agent_name: name }));
      clock.offsetMs += 10;
    }
    const [one, two, three] = agents.map(({ id }) => id);
    assert.deepEqual(
      (await list({ limit: '3' })).agents.map(({ id }) => id),
      [three, two, one],
    );
    const first = await list({ limit: '2' });
    const second = await list({ limit: '1', cursor: first.next_cursor ?? '' });
    assert.deepEqual(
      second.agents.map(({ id }) => id),
      [one],
    );
    assert.deepEqual(
      (await list({ search: 'LISTED T' })).agents.map(({ id }) => id),
      [three, two],
    );
    assert.deepEqual(
      (await list({ search: two! })).agents.map(({ name }) => name),
      ['Listed two'],
    );
    expectStatus(await setStatus(two!, 'under_review'), 200);
    assert.deepEqual(
      (await list({ search: 'listed', status: 'under_review' })).agents.map(({ id }) => id),
      [two],
    );
    assert.deepEqual((await list({ search: 'listed', tier: 'elite' })).agents, []);
  });

  it('refuses unknown values', async () => {
    for (const query of ['status=gone', 'tier=gold', 'limit=0', 'limit=101', 'cursor=x', 'search='])
      codeIs(await call(url, 'GET', `/operator/agents?${query}`, { key: operatorKey }), 400, 'INVALID_PARAMETER');
  });

  it('answers an unknown agent as missing', async () => {
    const id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    codeIs(await call(url, 'GET', `/operator/agents/${id}`, { key: operatorKey }), 404, 'AGENT_NOT_FOUND');
    codeIs(await setStatus(id, 'limited'), 404, 'AGENT_NOT_FOUND');
  });
});

it('the tests received every answer that these operations can give, and the service logged no errors', () => {
  assert.deepEqual(notSeen(...Object.keys(standingOperations)), []);
  assert.deepEqual(errors, []);
});
