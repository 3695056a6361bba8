import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { moneyOutOperations } from '../../contract/operator/money-out.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { asPoster, enter } from '../support/clients/contestants.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const USDC = 1_000_000;

// One prize is below this cap, and the other is above it.
const world = await startWorld({ env: { PAYOUT_CAP_USDC: '50', LIMIT_REGISTRATIONS_PER_HOUR: '1000' } });
const { url, operatorKey: key, service } = world;
const { chain } = service.deps;

type Row = Record<string, unknown> & { id: string };

async function payouts(query: Record<string, string>): Promise<{ payouts: Row[]; next_cursor: string | null }> {
  const path = `/operator/payouts?${new URLSearchParams(query).toString()}`;
  return expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
}

const payments = async (query: Record<string, string>) =>
  expectStatus(await call(url, 'GET', `/operator/payments?${new URLSearchParams(query).toString()}`, { key }), 200).body
    .data as { payments: Row[]; next_cursor: string | null };

const withdraw = (body: object) => call(url, 'POST', '/operator/withdrawals', { key, body });

/** Creates a project with one entry, which its poster chooses. */
async function won(prizeUsdc: number) {
  const project = await openProject({ url }, { prizeUsdc });
  const winner = await enter({ url }, project);
  expectStatus(await asPoster({ url }, project, ['POST', '/close']), 200);
  expectStatus(await asPoster({ url }, project, ['POST', '/winner', { submission_id: winner.submissionId }]), 200);
  return { project, winner };
}

const payoutOf = (projectId: string, state: string) =>
  until(`a ${state} payout of ${projectId}`, async () => (await payouts({ project_id: projectId, state })).payouts[0]);

describe('the operator', async () => {
  const small = await won(10);
  const large = await won(100);
  const held = await payoutOf(large.project.id, 'held');
  const settled = await payoutOf(small.project.id, 'settled');

  it('releases a payout over a cap with a reason, which the audit trail keeps', async () => {
    assert.deepEqual([held['note'], held['amount_micro']], ['over the cap of one transfer', 95 * USDC]);
    const own = await asPoster({ url }, large.project, ['GET', '']);
    assert.deepEqual([own.body.data.project.payout_status, own.body.data.project.status], ['held', 'judging']);
    const path = `/operator/payouts/${held.id}/retry`;
    expectStatus(await call(url, 'POST', path, { key, body: { reason: 'The winner is known to us' } }), 200);
    const sent = await payoutOf(large.project.id, 'settled');
    assert.equal(await chain.balanceMicro(large.winner.payer.address), 0.75 * USDC + 95 * USDC);
    const [line] = expectStatus(
      await call(url, 'GET', `/operator/audit?subject=payout:${held.id}`, { key }),
      200,
    ).body.data.entries.filter(({ action }: { action: string }) => action === 'payout.release');
    assert.deepEqual([line.actor, line.reason], ['operator', 'The winner is known to us']);
    const again = await call(url, 'POST', path, { key, body: { reason: 'Once more' } });
    assert.deepEqual([again.status, again.body.error.code], [409, 'PROJECT_STATE_CONFLICT']);
    assert.match(String(sent['tx_hash']), /^0x[0-9a-f]{64}$/);
  });

  it('lists payouts by state, project, and page, newest first', async () => {
    const all = await payouts({});
    assert.equal(all.payouts.length, 2);
    assert.deepEqual((await payouts({ state: 'waiting,held' })).payouts, []);
    const first = await payouts({ limit: '1' });
    const second = await payouts({ limit: '1', cursor: first.next_cursor! });
    assert.deepEqual([...first.payouts, ...second.payouts], all.payouts);
    assert.equal(second.next_cursor, null);
    for (const query of ['state=gone', 'limit=0', 'cursor=x', 'project_id=x'])
      assert.equal(
        (await call(url, 'GET', `/operator/payouts?${query}`, { key })).body.error.code,
        'INVALID_PARAMETER',
      );
  });

  it('lists every payment in and out, and cannot change a decided one', async () => {
    const kinds = (await payments({})).payments.map((payment) => String(payment['kind']));
    assert.deepEqual(
      kinds.toSorted((a, b) => a.localeCompare(b)),
      ['entry_fee', 'entry_fee', 'escrow', 'escrow', 'payout', 'payout'],
    );
    assert.deepEqual((await payments({ state: 'settling,failed' })).payments, []);
    const [out] = (await payments({ kind: 'payout', state: 'settled' })).payments.filter(
      (payment) => payment['subject_id'] === settled.id,
    );
    assert.deepEqual([out?.['tx_hash'], out?.['pay_to']], [settled['tx_hash'], small.winner.payer.address]);
    assert.ok(!('payload' in out!));
    const retried = await call(url, 'POST', `/operator/payments/${out!.id}/retry`, { key, body: { reason: 'To see' } });
    const { parties, ...same } = out!;
    assert.equal((parties as { agent: { id: string } }).agent.id, small.winner.id);
    assert.deepEqual(expectStatus(retried, 200).body.data.payment, same);
  });

  it('withdraws earned fees: no more than the balance, and once per id', async () => {
    const wallet = newPayer().address;
    const listed = { address: wallet, reason: 'Our bank' };
    const unlisted = await withdraw({ amount_usdc: 1, recipient: wallet, reason: 'Too early' });
    assert.deepEqual([unlisted.status, unlisted.body.error.code], [409, 'RECIPIENT_NOT_LISTED']);
    expectStatus(await call(url, 'POST', '/operator/withdrawal-addresses', { key, body: listed }), 201);
    // 5% of both prizes and two entry fees.
    const earned = 5.5 + 0.5;
    const tooMuch = await withdraw({ amount_usdc: earned + 0.000001, recipient: wallet, reason: 'All of it and more' });
    assert.deepEqual([tooMuch.status, tooMuch.body.error.code], [409, 'PROJECT_STATE_CONFLICT']);
    assert.match(tooMuch.body.error.message, /Only 6 USDC/);
    const body = { amount_usdc: 4, recipient: wallet, reason: 'November', withdrawal_id: randomUUIDv7() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => withdraw(body)));
    assert.deepEqual(new Set(answers.map((answer) => `${answer.status} ${answer.body.data.payout.id}`)).size, 1);
    assert.equal((await withdraw({ ...body, amount_usdc: 3 })).status, 409);
    assert.equal((await withdraw({ amount_usdc: 2.5, recipient: wallet, reason: 'More' })).status, 409);
    await until('the withdrawal', async () => (await chain.balanceMicro(wallet)) === 4 * USDC);
    await until('its booking', async () => (await payouts({ state: 'settled' })).payouts.length === 3);
    await assertBooks(world);
    expectStatus(await withdraw({ amount_usdc: 2, recipient: wallet, reason: 'The rest' }), 201);
    await until('the rest', async () => (await chain.balanceMicro(wallet)) === 6 * USDC);
    const self = await withdraw({ amount_usdc: 1, recipient: service.deps.payTo, reason: 'Round and round' });
    assert.deepEqual([self.status, self.body.error.code], [400, 'VALIDATION_ERROR']);
  });

  it('is the only caller with access', async () => {
    const bodies = goodBodies(url);
    for (const spec of Object.values(moneyOutOperations)) {
      const body = bodies[spec.id];
      const asAgent = { key: small.winner.key, ...(body ? { body } : {}) };
      assert.equal((await callOperation(url, spec, asAgent)).status, 401, spec.id);
      assert.equal(
        (await callOperation(url, spec, { ...asAgent, key: small.project.poster.key })).status,
        401,
        spec.id,
      );
      if (spec.path.includes('{'))
        assert.equal((await callOperation(url, spec, { ...asAgent, key })).status, 404, spec.id);
    }
  });

  after(() => assert.deepEqual(world.errors, []));
});
