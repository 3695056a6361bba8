import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { withdrawRevenue } from '../../server/payouts/withdraw-revenue.ts';
import { createService } from '../../server/service.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { asPoster, closeAndChoose, enter as enterAs } from '../support/clients/contestants.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { assertBooks, expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// What the operator sends out: held payouts, earned fees, and transfers that belong to nobody. And the metrics about it.

const USDC = 1_000_000;

// One prize is above this cap.
const wallet = newPayer().address;
const world = await startWorld({
  env: { PAYOUT_CAP_USDC: '50', LIMIT_REGISTRATIONS_PER_HOUR: '1000', REVENUE_ADDRESS: wallet },
});
const { url, operatorKey: key, service, chain } = world;
const { db } = service.deps;
const { enter, richPayer } = entriesOf(world);
const balance = (address: string) => service.deps.chain.balanceMicro(address);

type Row = Record<string, unknown> & { id: string };

async function list(name: 'payouts' | 'payments' | 'strays', query: Record<string, string>): Promise<Row[]> {
  const path = `/operator/${name}?${new URLSearchParams(query).toString()}`;
  return expectStatus(await call(url, 'GET', path, { key }), 200).body.data[name];
}

async function auditOf(subject: string, action: string): Promise<Row> {
  const answer = expectStatus(await call(url, 'GET', `/operator/audit?subject=${subject}`, { key }), 200);
  return answer.body.data.entries.find((entry: Row) => entry['action'] === action);
}

const withdraw = (body: object) =>
  call(url, 'POST', '/operator/withdrawals', { key, body: { reason: 'November', ...body } });

describe('a payout over the cap', () => {
  it('is released with a reason, which the audit trail keeps', async () => {
    const project = await openProject({ url }, { prizeUsdc: 100 });
    const winner = await enterAs({ url }, project);
    expectStatus(await closeAndChoose({ url }, project, winner), 200);
    const payoutOf = (state: string) =>
      until(`a ${state} payout`, async () => (await list('payouts', { project_id: project.id, state }))[0]);
    const held = await payoutOf('held');
    assert.deepEqual([held['note'], held['amount_micro']], ['over the cap of one transfer', 95 * USDC]);
    const own = await asPoster({ url }, project, ['GET', '']);
    assert.deepEqual([own.body.data.project.payout_status, own.body.data.project.status], ['held', 'judging']);
    // The award can be taken back, and its platform fee goes back to the escrow then.
    codeIs(await withdraw({ amount_usdc: 5 }), 409, 'PROJECT_STATE_CONFLICT', /Only 0 USDC/);
    const retry = (reason: string) =>
      call(url, 'POST', `/operator/payouts/${held.id}/retry`, { key, body: { reason } });
    expectStatus(await retry('The winner is known to us'), 200);
    const sent = await payoutOf('settled');
    assert.equal(await balance(winner.payer.address), 0.75 * USDC + 95 * USDC);
    const line = await auditOf(`payout:${held.id}`, 'payout.release');
    assert.deepEqual([line['actor'], line['reason']], ['operator', 'The winner is known to us']);
    codeIs(await retry('Once more'), 409, 'PROJECT_STATE_CONFLICT');

    const paid = await list('payments', { kind: 'payout', state: 'settled' });
    const out = paid.find((payment) => payment['subject_id'] === held.id);
    assert.deepEqual([out?.['tx_hash'], out?.['pay_to']], [sent['tx_hash'], winner.payer.address]);
    const again = await call(url, 'POST', `/operator/payments/${out!.id}/retry`, { key, body: { reason: 'To see' } });
    assert.equal(expectStatus(again, 200).body.data.payment.state, 'settled', 'a decided payment stays');
    for (const query of ['state=gone', 'limit=0', 'cursor=x', 'project_id=x'])
      codeIs(await call(url, 'GET', `/operator/payouts?${query}`, { key }), 400, 'INVALID_PARAMETER');
  });
});

describe('a withdrawal', () => {
  it('of earned fees is at most their balance, and made once per id', async () => {
    // 5 % of the prize and one entry fee.
    const earned = 5 + 0.25;
    codeIs(await withdraw({ amount_usdc: earned + 0.000001 }), 409, 'PROJECT_STATE_CONFLICT', /Only 5.25 USDC/);
    const body = { amount_usdc: 4, withdrawal_id: randomUUIDv7() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => withdraw(body)));
    assert.equal(new Set(answers.map((answer) => `${answer.status} ${answer.body.data.payout.id}`)).size, 1);
    codeIs(await withdraw({ ...body, amount_usdc: 3 }), 409, 'PROJECT_STATE_CONFLICT');
    codeIs(await withdraw({ amount_usdc: 1.5 }), 409, 'PROJECT_STATE_CONFLICT');
    await until('the withdrawal', async () => (await balance(wallet)) === 4 * USDC);
    expectStatus(await withdraw({ amount_usdc: 1.25 }), 201);
    await until('the rest', async () => (await balance(wallet)) === 5.25 * USDC);
  });

  it('needs REVENUE_ADDRESS', async () => {
    const config = { ...service.deps.config, revenueAddress: undefined };
    const caller = { kind: 'operator', name: null, scope: 'act' } as const;
    const ctx = { ...service.deps, config, caller, requestId: 'test', remoteAddress: '127.0.0.1' };
    const answer = withdrawRevenue(ctx, {
      body: { amount_usdc: 1_000_000, reason: 'November' },
    });
    await assert.rejects(answer, { code: 'PROJECT_STATE_CONFLICT', message: /Set REVENUE_ADDRESS/ });
  });
});

type Stray = Row & {
  state: string;
  payment_id: string | null;
  payout: { id: string; state: string; recipient: string; amount_micro: number; kind: string } | null;
};

const strays = async (query: Record<string, string> = {}) => (await list('strays', query)) as Stray[];
const giveBack = (id: string) =>
  call(url, 'POST', `/operator/strays/${id}/return`, { key, body: { reason: 'A mistake' } });

/** An entry whose fee its payer has sent by itself, and that the service has found on chain. */
async function stray(projectId: string) {
  const [entry, payer] = [await enter(projectId), await richPayer()];
  const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, entry));
  await ledger(world);
  const found = (await strays()).find(({ sender }) => sender === payer.address);
  assert.ok(found);
  return { entry, payer, headers, found };
}

describe('a stray transfer', async () => {
  const { id: projectId } = await openProject(world);

  it('is listed, goes back to its sender once, and then pays for nothing and takes no place', async () => {
    const { id } = await openProject(world, { fields: { max_entries: 2 } });
    const { payer, headers, entry, found } = await stray(id);
    assert.match(String(found['tx_hash']), /^0x[0-9a-f]{64}$/);
    assert.deepEqual(
      [found['amount_micro'], found.state, found.payment_id, found.payout],
      [250_000, 'unclaimed', null, null],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => giveBack(found.id)));
    assert.equal(new Set(answers.map((answer) => expectStatus(answer, 200).body.data.stray.payout.id)).size, 1);
    const { payout } = await until('its booking', async () =>
      (await strays({ state: 'returned' })).find((each) => each.id === found.id && each.payout?.state === 'settled'),
    );
    assert.deepEqual(
      [payout?.recipient, payout?.kind, payout?.amount_micro, await balance(payer.address)],
      [payer.address, 'return', 250_000, 5 * USDC],
    );
    codeIs(await requestUpload(url, { ...entry, headers }), 402, 'PAYMENT_FAILED', /given back/);
    codeIs(await requestUpload(url, { ...entry, headers }), 402, 'PAYMENT_FAILED', /failed before/);
    expectStatus(await giveBack(found.id), 200);
    assert.equal(await balance(payer.address), 5 * USDC);
    const [place] = await db`select places_taken as taken from projects where id = ${id}`;
    assert.equal(place?.['taken'], 0);
    const line = await auditOf(`payout:${payout?.id}`, 'transfer.return');
    assert.deepEqual([line['actor'], line['reason']], ['operator', 'A mistake']);
  });

  it('stays with the payment that claims it', async () => {
    const { entry, headers, found } = await stray(projectId);
    expectStatus(await requestUpload(url, { ...entry, headers }), 200);
    codeIs(await giveBack(found.id), 409, 'PROJECT_STATE_CONFLICT', /claimed/);
    assert.ok((await strays({ state: 'claimed' })).find(({ id }) => id === found.id)?.payment_id);
  });

  it('is either paid with or given back, however close the two come', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { entry, payer, headers, found } = await stray(projectId);
      const [paid, returned] = await Promise.all([requestUpload(url, { ...entry, headers }), giveBack(found.id)]);
      assert.match(`${paid.status} ${returned.status}`, /^(200 409|402 200)$/);
      const expected = paid.status === 200 ? 4_750_000 : 5_000_000;
      await until('the end', async () => (await balance(payer.address)) === expected);
    }
  });

  it('without a known sender cannot go back', async () => {
    await chain.mintUsdc(service.deps.payTo, 7);
    await ledger(world);
    const minted = (await strays({ state: 'unclaimed' })).find(({ sender }) => sender === null);
    assert.equal(minted?.['amount_micro'], 7);
    codeIs(await giveBack(minted.id), 409, 'PROJECT_STATE_CONFLICT', /who sent/);
    codeIs(await giveBack(randomUUIDv7()), 404, 'NOT_FOUND');
    for (const query of ['?state=gone', '?limit=0', '?cursor=x'])
      codeIs(await call(url, 'GET', `/operator/strays${query}`, { key }), 400, 'INVALID_PARAMETER');
  });

  it('leaves the books in balance', async () => {
    await until('all bookings', async () => (await db`select from payouts where state <> 'settled'`).length === 0);
    await assertBooks(world);
  });
});

it('the audit trail cannot be changed', async () => {
  for (const statement of ['update audit_trail set reason = null', 'delete from audit_trail', 'truncate audit_trail'])
    await assert.rejects(db.unsafe(statement), /append-only/);
});

describe('/metrics', () => {
  it('reports books, payments, payouts, and requests without naming anyone', async () => {
    await ledger(world);
    await db`
      update ledger_checks set chain_matches = false where id = (select id from ledger_checks order by checked_at desc limit 1)`;
    const response = await fetch(`${url}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      /^concours_database_up 1$/m,
      /^concours_ledger_mismatch 1$/m,
      /^concours_ledger_check_age_seconds [0-9.]+$/m,
      /^concours_oldest_undecided_payment_seconds 0$/m,
      /^concours_requests_total\{operation="getLedger",status="200"\} [1-9]\d*$/m,
      /^concours_request_duration_seconds_bucket\{le="\+Inf",operation="getLedger"\} [1-9]\d*$/m,
      /^process_cpu_user_seconds_total /m,
      /^nodejs_eventloop_lag_seconds /m,
    ])
      assert.match(text, line);
    assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-|0x[0-9a-f]{40}/);
    const after = await ledger(world);
    assert.deepEqual(after.problems, []);
    assert.match(await (await fetch(`${url}/metrics`)).text(), /^concours_ledger_mismatch 0$/m);
  });

  it('needs the operator key where the money can be real', async () => {
    // A worker serves the metrics, and no pages that take time to build.
    const config = { ...service.deps.config, development: false, role: 'worker' as const };
    const { app } = createService({ ...service.deps, config }, { operatorKey: key });
    const ask = async (headers: Record<string, string>) => {
      const env = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
      return await app.fetch(new Request('http://localhost/metrics', { headers }), env);
    };
    assert.equal((await ask({})).status, 401);
    assert.equal((await ask({ authorization: `Bearer ${key}x` })).status, 401);
    const answered = await ask({ authorization: `Bearer ${key}` });
    assert.equal(answered.status, 200);
    assert.match(await answered.text(), /^concours_ledger_mismatch 0$/m);
    app.stop();
  });
});
