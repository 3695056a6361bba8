import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, signPayment } from '../support/clients/client.ts';
import { choose, close, enter as compete } from '../support/clients/contestants.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedDatabase } from '../support/worlds/shared-database.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// What an agent may do whose status the operator has set. Domain tests have the ends of a status.

const world = await sharedWorld();
const { url, operatorKey } = world;
const db = sharedDatabase(world);
const { confirmOf, enter, intentOf, richPayer } = entriesOf({ url, db });
const free = await openProject(world, { entryFeeUsdc: 0 });

type Status = 'active' | 'limited' | 'suspended' | 'under_review';
const REASON = 'Complaints of two posters';

const setStatus = (id: string, status: Status, more: object = {}) =>
  call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body: { status, reason: REASON, ...more } });
const profileOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.agent as Record<string, unknown>;
const trailOf = async (id: string) =>
  expectStatus(await call(url, 'GET', `/operator/audit?subject=agent:${id}`, { key: operatorKey }), 200).body.data
    .entries as { actor: string; reason: string; details: Record<string, unknown> }[];
const uploadUrlOf = async (entry: Entry, item?: number) =>
  expectStatus(await requestUpload(url, { ...entry, ...(item ? { item } : {}) }), 200).body.data.uploadUrl as string;
const put = async (uploadUrl: string) => assert.equal(await putPicture(uploadUrl, picture), 200);

const paymentsOf = async ({ submissionId }: Entry) =>
  (await db<{ state: string }[]>`select state from payments where subject_id = ${submissionId}`).map(
    ({ state }) => state,
  );

describe('an agent whose status the operator sets', () => {
  it('reads the status, its reason, and its end in its profile and in refusals', async () => {
    const { id, key } = await registerAgent(url);
    const end = new Date(Date.now() + 3_600_000).toISOString();
    expectStatus(await setStatus(id, 'suspended', { until: end }), 200);
    const { status, statusReason, statusUntil } = await profileOf(key);
    assert.deepEqual([status, statusReason, statusUntil], ['suspended', REASON, end]);
    const refused = await call(url, 'GET', '/agents/projects', { key });
    codeIs(refused, 403, 'AGENT_SUSPENDED', new RegExp(`until ${end}.*${REASON}`));
    assert.deepEqual(refused.body.error.details, [
      { field: 'status', message: 'suspended' },
      { field: 'reason', message: REASON },
      { field: 'until', message: end },
    ]);
    codeIs(
      await setStatus(id, 'limited', { instead_of: 'active' }),
      409,
      'PROJECT_STATE_CONFLICT',
      /is suspended: Compl/,
    );
    expectStatus(await setStatus(id, 'active', { reason: 'All was explained' }), 200);
    expectStatus(await call(url, 'GET', '/agents/projects', { key }), 200);
    assert.deepEqual(
      (await trailOf(id)).map(({ actor, reason, details }) => [actor, reason, details['from'], details['to']]),
      [
        ['operator', 'All was explained', 'suspended', 'active'],
        ['operator', REASON, 'active', 'suspended'],
      ],
    );
    const { agent } = (await call(url, 'GET', `/operator/agents/${id}`, { key: operatorKey })).body.data;
    assert.equal(agent.status_changes.length, 2);
  });

  it('cannot get an unknown status, a status without a reason, or an invalid end', async () => {
    const { id } = await registerAgent(url);
    for (const body of [
      { status: 'banned', reason: 'A reason' },
      { status: 'limited' },
      { status: 'limited', reason: ' ' },
      { status: 'limited', reason: 'A reason', until: 'tomorrow' },
      { status: 'limited', reason: 'A reason', until: '2020-01-01T00:00:00Z' },
      { status: 'active', reason: 'A reason', until: '2099-01-01T00:00:00Z' },
    ])
      codeIs(
        await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }),
        400,
        'VALIDATION_ERROR',
      );
    assert.deepEqual(await trailOf(id), []);
    const missing = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    codeIs(await setStatus(missing, 'limited'), 404, 'AGENT_NOT_FOUND');
    codeIs(await call(url, 'GET', `/operator/agents/${missing}`, { key: operatorKey }), 404, 'AGENT_NOT_FOUND');
  });
});

describe('a paid entry', () => {
  for (const status of ['limited', 'under_review'] as const)
    it(`is finished by an agent that is ${status}, which can start and pay nothing new`, async () => {
      const [first, second] = [await openProject(world), await openProject(world)];
      const [paid, fresh] = [await enter(first.id), await enter(second.id)];
      const payer = await richPayer();
      expectStatus(await requestUpload(url, { ...paid, fetch: payer.pay }), 200);
      const payment = await signPayment(payer, await requestUpload(url, fresh));
      for (const { agentId } of [paid, fresh]) expectStatus(await setStatus(agentId, status), 200);
      // The agent gets a new URL for the paid entry.
      await put(await uploadUrlOf(paid));
      expectStatus(await confirmOf(paid), 200);
      codeIs(await requestUpload(url, fresh), 403, 'AGENT_RESTRICTED', new RegExp(REASON));
      codeIs(await requestUpload(url, { ...fresh, headers: payment }), 403, 'AGENT_RESTRICTED');
      assert.deepEqual(await paymentsOf(fresh), []);
      codeIs(await intentOf(paid.key, second.id), 403, 'AGENT_RESTRICTED');
      expectStatus(await call(url, 'GET', '/agents/me/submissions', { key: fresh.key }), 200);
      expectStatus(await call(url, 'DELETE', `/agents/projects/${second.id}/intent`, { key: fresh.key }), 200);
    });

  it('is not started right after the operator’s change, whatever another process has cached', async () => {
    const [first, second] = [await openProject(world), await openProject(world)];
    const entry = await enter(first.id);
    const payment = await signPayment(await richPayer(), await requestUpload(url, entry));
    // Write the change as another process does, without notifying this one.
    await db`update agents set status = 'limited', status_reason = 'A test' where id = ${entry.agentId}`;
    codeIs(await intentOf(entry.key, second.id), 403, 'AGENT_RESTRICTED', /A test/);
    codeIs(await requestUpload(url, { ...entry, headers: payment }), 403, 'AGENT_RESTRICTED', /A test/);
    assert.deepEqual(await paymentsOf(entry), []);
  });

  it('is charged and gets its URL, or neither, if the agent becomes limited meanwhile', async () => {
    const project = await openProject(world);
    for (let round = 0; round < 3; round += 1) {
      const entry = await enter(project.id);
      const { pay } = await richPayer();
      const [paying, limiting] = await Promise.all([
        requestUpload(url, { ...entry, fetch: pay }),
        setStatus(entry.agentId, 'limited'),
      ]);
      expectStatus(limiting, 200);
      if (paying.status === 200) assert.deepEqual(await paymentsOf(entry), ['settled']);
      else codeIs(paying, 403, 'AGENT_RESTRICTED');
      if (paying.status !== 200) assert.deepEqual(await paymentsOf(entry), []);
    }
  });

  it('stays in the competition: a suspended agent wins and is paid', async () => {
    const project = await openProject(world, { prizeUsdc: 2 });
    const winner = await compete(world, project);
    expectStatus(await setStatus(winner.id, 'suspended'), 200);
    expectStatus(await close(world, project), 200);
    expectStatus(await choose(world, project, winner), 200);
    await until('the prize', async () => {
      const [payout] = await db<{ recipient: string; amount: number }[]>`
        select p.recipient, p.amount_micro as amount from payouts p
        where p.recipient = ${winner.payer.address} and p.state = 'settled'`;
      return payout?.amount === 1_900_000;
    });
    assert.equal((await profileOf(winner.key))['status'], 'suspended');
  });
});

describe('a free entry of an agent that is limited', () => {
  async function limit({ agentId }: Entry): Promise<void> {
    expectStatus(await setStatus(agentId, 'limited'), 200);
    // A file system dates its files by a clock that may be some milliseconds late.
    await db`update agents set status_since = status_since - interval '0.1 seconds' where id = ${agentId}`;
  }
  const nextOf = async ({ key, submissionId }: Entry) =>
    expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}`, { key }), 200).body.data.submission
      .next?.operation_id ?? null;

  it('is confirmed if its file was uploaded before', async () => {
    const entry = await enter(free.id);
    await put(await uploadUrlOf(entry));
    expectStatus(await setStatus(entry.agentId, 'limited'), 200);
    assert.equal(await nextOf(entry), 'confirmUpload');
    expectStatus(await confirmOf(entry), 200);
    codeIs(await confirmOf(entry), 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);
  });

  it('is not confirmed with a file from after the restriction, until it ends', async () => {
    const [entry, fresh] = [await enter(free.id), await enter(free.id)];
    const uploadUrl = await uploadUrlOf(entry);
    for (const each of [entry, fresh]) await limit(each);
    await put(uploadUrl);
    for (const each of [entry, fresh]) {
      assert.equal(await nextOf(each), null);
      codeIs(await confirmOf(each), 403, 'AGENT_RESTRICTED');
    }
    codeIs(await requestUpload(url, fresh), 403, 'AGENT_RESTRICTED');
    // Another restriction does not move the start of the first one.
    expectStatus(await setStatus(entry.agentId, 'under_review'), 200);
    codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
    expectStatus(await setStatus(entry.agentId, 'active', { reason: 'All was explained' }), 200);
    assert.equal(await nextOf(entry), 'confirmUpload');
    expectStatus(await confirmOf(entry), 200);
  });

  it('gets no further item of a set', async () => {
    const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 2 } });
    const [entry, other] = [await enter(set.id), await enter(set.id)];
    for (const each of [entry, other]) await put(await uploadUrlOf(each));
    const late = await uploadUrlOf(entry, 2);
    await limit(entry);
    expectStatus(await setStatus(other.agentId, 'limited'), 200);
    await put(late);
    codeIs(await confirmOf(entry), 403, 'AGENT_RESTRICTED');
    expectStatus(await confirmOf(other), 200);
  });
});
