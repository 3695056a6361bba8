import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { notSeen } from '../support/clients/check-answer.ts';
import { type Answer, call, newPayer } from '../support/clients/client.ts';
import { asPoster, choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject } from '../support/clients/journey.ts';
import { newOperator, type Operator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

// Acts of operators that move more than APPROVAL_USDC wait for a second person, and withdrawals go only to listed
// addresses.

const DAY_MS = 86_400_000;
const USDC = 1_000_000;
const world = await startWorld({
  env: { APPROVAL_USDC: '0.5', OPERATOR_WAIT_HOURS: '24', PAYOUT_CAP_USDC: '150', AUTO_PAYOUT_HOLD_HOURS: '24' },
});
const { url, operatorKey, clock, service, errors } = world;
const { db, chain } = service.deps;

const as = (key: string, path: string, body?: object): Promise<Answer> =>
  call(url, body ? 'POST' : 'GET', `/operator/${path}`, { key, ...(body ? { body } : {}) });
const approve = ({ key }: Operator, id: string) => as(key, `approvals/${id}/approve`, {});
const reject = ({ key }: Operator, id: string) => as(key, `approvals/${id}/reject`, { reason: 'Not agreed' });
const withdraw = (key: string, amount_usdc: number, withdrawal_id = randomUUIDv7()) =>
  as(key, 'withdrawals', { amount_usdc, recipient: bank, reason: 'Fees', withdrawal_id });
const pendingId = (answer: Answer) => expectStatus(answer, 202).body.data.approval.id as string;
const stateOf = async (id: string) => {
  const { approvals } = expectStatus(await as(operatorKey, 'approvals?limit=100'), 200).body.data;
  return approvals.find((each: { id: string }) => each.id === id) as Record<string, unknown>;
};

const bank = newPayer().address.toLowerCase();
const [ada, bob, carl, eve] = [
  await newOperator(world, 'money'),
  await newOperator(world, 'money'),
  await newOperator(world, 'money', 'admin'),
  await newOperator(world, 'support', 'read', 'admin'),
];
const project = await openProject(world, { prizeUsdc: 100 });
const winner = await enter(world, project);
expectStatus(await close(world, project), 200);
expectStatus(await choose(world, project, winner), 200);
await until('the prize', async () => (await ownProject(world, project))['payout_status'] === 'settled');

describe('a withdrawal', () => {
  it('goes only to an address that has been listed for 24 hours', async () => {
    const small = () => withdraw(ada.key, 0.1);
    codeIs(await small(), 409, 'RECIPIENT_NOT_LISTED', /List this address first/);
    const list = (address = bank) => as(carl.key, 'withdrawal-addresses', { address, reason: 'Our bank' });
    codeIs(await list(service.deps.payTo), 400, 'VALIDATION_ERROR');
    const listed = expectStatus(await list(), 201).body.data.address;
    assert.deepEqual(expectStatus(await list(), 201).body.data.address, listed);
    assert.equal(Date.parse(listed.usable_at) - Date.parse(listed.created_at), DAY_MS);
    assert.equal((await toldEvents(db, 'ALERT.WITHDRAWAL_ADDRESS', { subject: `address:${bank}` })).length, 1);
    const last = Date.parse(listed.usable_at) - 1;
    codeIs(await clock.at(last, small), 409, 'RECIPIENT_NOT_LISTED', /can receive from/);
    clock.offsetMs += DAY_MS;
    expectStatus(await small(), 201);
    await until('the transfer', async () => (await chain.balanceMicro(bank)) === 0.1 * USDC);
    const remove = (address: string) => as(carl.key, `withdrawal-addresses/${address}/remove`, { reason: 'Closed' });
    const other = newPayer().address;
    codeIs(await remove(other), 404, 'NOT_FOUND');
    expectStatus(await list(other), 201);
    expectStatus(await remove(other), 200);
    const { addresses } = expectStatus(await as(ada.key, 'withdrawal-addresses'), 200).body.data;
    assert.deepEqual(addresses, [listed]);
  });
});

describe('an act above APPROVAL_USDC', () => {
  it('moves nothing until another operator approves it, who is never the same person', async () => {
    const withdrawalId = randomUUIDv7();
    const asked = await withdraw(ada.key, 0.6, withdrawalId);
    const id = pendingId(asked);
    const { approval } = asked.body.data;
    assert.deepEqual(
      [approval.operation, approval.amount_micro, approval.state, approval.requested_by],
      ['withdrawRevenue', 0.6 * USDC, 'pending', `operator:${ada.name}`],
    );
    assert.equal(pendingId(await withdraw(ada.key, 0.6, withdrawalId)), id);
    assert.equal((await toldEvents(db, 'ALERT.APPROVAL_REQUESTED', { subject: `approval:${id}` })).length, 1);
    codeIs(await approve(ada, id), 403, 'APPROVAL_FORBIDDEN', /Another operator/);
    codeIs(await as(operatorKey, `approvals/${id}/approve`, {}), 403, 'APPROVAL_FORBIDDEN', /belongs to no person/);
    const newcomer = await newOperator(world, 'money');
    codeIs(await approve(newcomer, id), 403, 'APPROVAL_FORBIDDEN', /too recently/);
    codeIs(await approve(eve, id), 403, 'OPERATOR_SCOPE');
    codeIs(await approve(bob, randomUUIDv7()), 404, 'NOT_FOUND');
    const before = await chain.balanceMicro(bank);
    const done = expectStatus(await approve(bob, id), 200).body.data;
    assert.deepEqual([done.approval.state, done.approval.decided_by], ['approved', `operator:${bob.name}`]);
    assert.equal(done.result.payout.amount_micro, 0.6 * USDC);
    for (const decide of [approve, reject]) codeIs(await decide(carl, id), 409, 'APPROVAL_DECIDED');
    await until('the transfer', async () => (await chain.balanceMicro(bank)) === before + 0.6 * USDC);
    const trail = await db<{ actor: string; action: string }[]>`
      select actor, action from audit_trail
      where subject in (${`approval:${id}`}, ${`payout:${done.result.payout.id}`}) and actor like 'operator%' order by at, id`;
    assert.deepEqual(
      trail.map(({ actor, action }) => `${actor} ${action}`),
      [
        `operator:${ada.name} approval.request`,
        `operator:${bob.name} approval.approve`,
        `operator:${ada.name} payout.withdraw`,
      ],
    );
    pendingId(await withdraw(ada.key, 0.01));
    clock.offsetMs += DAY_MS;
    const limit = await withdraw(ada.key, 0.5);
    assert.equal(limit.status, 201, 'APPROVAL_USDC itself needs no approval');
  });

  it('cannot be cut into slices: the withdrawals of a UTC day count together, also those at the same moment', async () => {
    clock.offsetMs += DAY_MS;
    // 5 of 9 slices fit, from any operator and to any listed address.
    const day = clock.now();
    const slices = await clock.at(day, () =>
      Promise.all(Array.from({ length: 9 }, (_, turn) => withdraw(turn % 2 === 0 ? ada.key : bob.key, 0.1))),
    );
    assert.deepEqual(
      slices.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 201, 201, 201, 201, 202, 202, 202, 202],
    );
    const paid = await db<{ micro: number }[]>`
      select sum(amount_micro)::bigint as micro from payouts where kind = 'withdrawal' and created_at = ${day}`;
    assert.equal(paid[0]?.micro, 0.5 * USDC);
    const smallest = await clock.at(day, () => withdraw(carl.key, 0.000001));
    const id = pendingId(smallest);
    const done = expectStatus(await approve(bob, id), 200).body.data;
    assert.equal(done.result.payout.amount_micro, 1);
    clock.offsetMs += DAY_MS;
    expectStatus(await withdraw(ada.key, 0.000001), 201);
  });

  it('happens once if it is approved and rejected at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const withdrawalId = randomUUIDv7();
      const asked = await Promise.all([0, 1, 2].map(() => withdraw(ada.key, 0.51, withdrawalId)));
      const [id = '', ...others] = new Set(asked.map(pendingId));
      assert.deepEqual(others, []);
      const answers = await Promise.all([approve(bob, id), reject(carl, id), approve(carl, id), approve(bob, id)]);
      const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : body.error.code));
      assert.equal(codes.filter((code) => code === 'ok').length, 1, codes.join());
      assert.equal(codes.filter((code) => code === 'APPROVAL_DECIDED').length, 3, codes.join());
      const { state } = await stateOf(id);
      const paid = await db`select from payouts where reference = ${`withdrawal:${withdrawalId}`}`;
      assert.equal(paid.length, state === 'approved' ? 1 : 0);
    }
  });

  it('is not performed after two days, nor for an operator whose key was revoked, nor if it fails', async () => {
    const rejected = pendingId(await withdraw(ada.key, 0.52));
    assert.deepEqual(
      [expectStatus(await reject(ada, rejected), 200).body.data.approval.state, (await stateOf(rejected))['reason']],
      ['rejected', 'Not agreed'],
    );
    codeIs(await reject(ada, randomUUIDv7()), 404, 'NOT_FOUND');
    codeIs(await as(ada.key, 'approvals?state=gone'), 400, 'INVALID_PARAMETER');
    const tooMuch = pendingId(await withdraw(ada.key, 0.6));
    const gone = await newOperator(world, 'money');
    const ofGone = pendingId(await withdraw(gone.key, 0.53));
    expectStatus(await as(carl.key, `operators/${gone.name}/revoke`, { reason: 'Leaves' }), 200);
    codeIs(await approve(bob, ofGone), 403, 'APPROVAL_FORBIDDEN', /may no longer move money/);
    expectStatus(await as(carl.key, `withdrawal-addresses/${bank}/remove`, { reason: 'Closed' }), 200);
    codeIs(await approve(bob, tooMuch), 409, 'RECIPIENT_NOT_LISTED');
    assert.equal((await stateOf(tooMuch))['state'], 'pending');
    clock.offsetMs += 2 * DAY_MS;
    codeIs(await approve(bob, tooMuch), 409, 'APPROVAL_DECIDED');
    assert.equal((await stateOf(tooMuch))['state'], 'expired');
    const expired = expectStatus(await as(bob.key, 'approvals?state=expired&limit=1'), 200).body.data;
    assert.deepEqual([expired.approvals.length, expired.has_more], [1, true]);
    assert.deepEqual(expectStatus(await as(bob.key, 'approvals?state=pending'), 200).body.data.approvals, []);
  });
});

describe('every act that moves money', () => {
  it('waits, and is performed under the name of who requested it: projects', async () => {
    const open = () => openProject(world, { prizeUsdc: 2, deadline: new Date(clock.now().getTime() + 10 * DAY_MS) });
    const [canceled, shared, awarded] = [await open(), await open(), await open()];
    const [sharer, best] = [
      await enter(world, shared, { picture: await drawing(1) }),
      await enter(world, awarded, { picture: await drawing(2) }),
    ];
    const acts: [string, object][] = [
      [`projects/${canceled.id}/cancel`, { reason: 'Against the rules' }],
      [`projects/${shared.id}/share`, { reason: 'Nobody is better' }],
      [`projects/${awarded.id}/award`, { submission_id: best.submissionId, reason: 'The best' }],
    ];
    for (const [path, body] of acts) {
      const id = pendingId(await as(ada.key, path, body));
      const projectId = path.split('/')[1]!;
      const [{ status } = { status: '' }] = await db<
        { status: string }[]
      >`select status from projects where id = ${projectId}`;
      assert.equal(status, 'open', path);
      const { result } = expectStatus(await approve(bob, id), 200).body.data;
      assert.equal(result.project.id, projectId);
    }
    for (const { payer } of [sharer, best])
      await until('its prize', async () => (await chain.balanceMicro(payer.address)) > 2 * USDC);
    await assertBooks(world);
  });

  it('waits: payouts that a cap holds', async () => {
    const large = await openProject(world, { prizeUsdc: 200, deadline: new Date(clock.now().getTime() + 10 * DAY_MS) });
    const entry = await enter(world, large, { picture: await drawing(3) });
    expectStatus(await asPoster(world, large, ['POST', '/close']), 200);
    expectStatus(await choose(world, large, entry), 200);
    const held = await until('a held payout', async () => {
      const path = `payouts?project_id=${large.id}&state=held`;
      return expectStatus(await as(ada.key, path), 200).body.data.payouts[0] as { id: string } | undefined;
    });
    const id = pendingId(await as(ada.key, `payouts/${held.id}/retry`, { reason: 'Known to us' }));
    await db`update operator_approvals set amount_micro = 1 where id = ${id}`;
    codeIs(await approve(bob, id), 409, 'PROJECT_STATE_CONFLICT', /more than was requested/);
    await db`update operator_approvals set amount_micro = ${190 * USDC} where id = ${id}`;
    expectStatus(await approve(bob, id), 200);
    await until('the prize', async () => (await chain.balanceMicro(entry.payer.address)) > 190 * USDC);
  });
});

it('answers all that the contract lists, and logs no errors', () => {
  assert.deepEqual(
    notSeen('Operators').filter((each) => /Approval|Act |WithdrawalAddress/.test(each)),
    ['approveAct PROJECT_NOT_FOUND', 'approveAct SUBMISSION_NOT_FOUND'],
  );
  assert.deepEqual(errors, []);
});
