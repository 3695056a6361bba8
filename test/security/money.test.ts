import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { now, signPayment as signFor } from '../support/money/authorizations.ts';
import { call, newPayer, signPayment } from '../support/clients/client.ts';
import { asPoster, enter as contestant } from '../support/clients/contestants.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { brief, expectStatus, ledger, openProject, registerPoster, requestUpload } from '../support/clients/journey.ts';
import { executeOutside, headersOf, quoteOf } from '../support/money/strays.ts';
import { contractWallet, linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// People who want the money of others, or want to stop it, or want the service to burn its gas.

const MANY = '1000000';
const world = await startWorld({
  env: {
    PAYOUT_CAP_USDC: '50',
    PAYOUT_DAILY_CAP_USDC: '100',
    LIMIT_POSTER_PER_MINUTE: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
    LIMIT_REGISTRATIONS_PER_HOUR: MANY,
  },
});
const { url, service, clock, chain, operatorKey } = world;
const { db } = service.deps;
const { enter, richPayer } = entriesOf(world);

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(clock.now().getTime() + hours * HOUR_MS);
const present = (entry: Awaited<ReturnType<typeof enter>>, headers: Record<string, string>) =>
  requestUpload(url, { ...entry, headers });
const walletOf = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me', { key }), 200).body.data.wallet as {
    address: string | null;
    linked: boolean;
    proven: boolean;
  };

/** Saves a draft with a prize of 1 USDC. `publish` sends the request, with a payment or without. */
async function draftOf({ key }: { key: string }) {
  const body = { ...brief(), auto_select_deadline: inHours(24) };
  const draft = expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body }), 201);
  const path = `/posters/me/projects/${draft.body.data.project.id}/publish`;
  return { publish: async (headers: Record<string, string> = {}) => await call(url, 'POST', path, { key, headers }) };
}

describe('circles of publishing and canceling', () => {
  it('let no other refund wait', async () => {
    const victim = await openProject(world, { prizeUsdc: 20, deadline: inHours(72) });
    const paid = await contestant({ url }, victim, { until: 'paid' });
    clock.offsetMs += 25 * HOUR_MS;
    const attacker = await registerPoster(url);
    for (let circle = 0; circle < 5; circle += 1) {
      const project = await openProject(world, { poster: attacker, prizeUsdc: 45, deadline: inHours(24) });
      expectStatus(await asPoster({ url }, project, ['POST', '/cancel', {}]), 200);
      await until('the refund', async () => (await ownProject(world, project))['payout_status'] === 'settled');
    }
    const path = `/operator/projects/${victim.id}/cancel`;
    expectStatus(await call(url, 'POST', path, { key: operatorKey, body: { reason: 'A test' } }), 200);
    await until(
      'the refunds of the victim',
      async () => (await ownProject(world, victim))['payout_status'] === 'settled',
    );
    assert.equal(await service.deps.chain.balanceMicro(victim.funder.address), 20_000_000);
    assert.equal(await service.deps.chain.balanceMicro(paid.payer.address), 1_000_000);
    await assertBooks(world);
  });
});

describe('dust', () => {
  it('is no entry fee: not in a draft, not in a change, and not in an old draft', async () => {
    const { key } = await registerPoster(url);
    const draft = (entry_fee: number) =>
      call(url, 'POST', '/posters/me/projects', {
        key,
        body: { ...brief(), entry_fee, auto_select_deadline: inHours(24) },
      });
    for (const fee of [0.000001, 0.009999]) codeIs(await draft(fee), 400, 'VALIDATION_ERROR', /entry_fee: .*0\.01/);
    for (const fee of [0, 0.01]) expectStatus(await draft(fee), 201);
    const { id } = expectStatus(await draft(0.5), 201).body.data.project as { id: string };
    const change = await call(url, 'PATCH', `/posters/me/projects/${id}`, { key, body: { entry_fee: 0.001 } });
    codeIs(change, 400, 'VALIDATION_ERROR', /entry_fee/);
    await db`update projects set entry_fee_micro = 1 where id = ${id}`;
    codeIs(
      await call(url, 'POST', `/posters/me/projects/${id}/publish`, { key }),
      400,
      'VALIDATION_ERROR',
      /entry_fee/,
    );
  });

  it('in the fee of an old project is refunded in the books, not in one transfer for each agent', async () => {
    // A project that an older version opened keeps its fee.
    const project = await openProject(world, { deadline: inHours(24) });
    await db`update projects set entry_fee_micro = 1 where id = ${project.id}`;
    const entrants = [];
    for (let count = 0; count < 3; count += 1) entrants.push(await contestant({ url }, project, { until: 'paid' }));
    expectStatus(
      await call(url, 'POST', `/operator/projects/${project.id}/cancel`, {
        key: operatorKey,
        body: { reason: 'A test' },
      }),
      200,
    );
    const owed = await until('all refunds', async () => {
      const rows = await db<{ kind: string; state: string; amount: number }[]>`
        select kind, state, amount_micro as amount from payouts where project_id = ${project.id}`;
      return rows.every(({ state }) => state === 'settled' || state === 'credited') && rows;
    });
    assert.equal(owed.filter(({ state, amount }) => state === 'credited' && amount === 1).length, 3);
    const { accounts, problems } = await ledger(world);
    assert.deepEqual(problems, []);
    for (const { payer } of entrants)
      assert.equal(accounts.find(({ account }) => account === `payable:${payer.address}`)?.balance_micro, 1);
    const money = expectStatus(await call(url, 'GET', `/projects/${project.id}/money`), 200).body.data;
    assert.deepEqual([money.balanced, money.held_micro], [true, 3]);
  });
});

describe('a contract wallet', () => {
  it('that burns gas pays for nothing, and costs the service nothing', async () => {
    const { id } = await openProject(world, { deadline: inHours(24) });
    const entry = await enter(id);
    const owner = await richPayer();
    // The contract answers that every signature is good, after it has counted to 6,000.
    const burning = '0x60005b600101806117701160025750631626ba7e60e01b60005260206000f3';
    const address = await contractWallet(chain.rpcUrl, owner, burning);
    await call(url, 'POST', '/dev/faucet', { body: { address, amount_usdc: 1 } });
    const refusal = expectStatus(await requestUpload(url, entry), 402);
    const headers = await signPayment({ account: { ...owner.account, address: address as `0x${string}` } }, refusal);
    codeIs(await present(entry, headers), 402, 'PAYMENT_FAILED');
    const [payment] = await db`select state, error, tx_hash from payments where subject_id = ${entry.submissionId}`;
    // The service refused it before any broadcast: the protocol has no code for a transfer that takes too much gas.
    assert.deepEqual(
      { ...payment },
      { state: 'failed', error: 'invalid_exact_evm_transaction_simulation_failed', tx_hash: null },
    );
    assert.equal(await service.deps.chain.balanceMicro(address), 1_000_000);
  });
});

describe('an authorization that its payer executed', () => {
  it('is not taken from the chain by another agent, if the payer proved its wallet', async () => {
    const { id } = await openProject(world, { deadline: inHours(24) });
    const [owner, thief, payer] = [await enter(id), await enter(id), await richPayer()];
    expectStatus(await linkPayer(url, owner.key, payer), 200);
    const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, owner));
    codeIs(await present(thief, headers), 402, 'PAYMENT_FAILED', /not known to be yours/);
    expectStatus(await present(owner, headers), 200);
    assert.equal(await service.deps.chain.balanceMicro(payer.address), 4_750_000);
    assert.equal((await walletOf(thief.key)).address, null);
  });

  it('proves no wallet: the agent that signs with it takes it over', async () => {
    const { id } = await openProject(world, { deadline: inHours(24) });
    const [owner, thief, payer] = [await enter(id), await enter(id), await richPayer()];
    const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, owner));
    expectStatus(await present(thief, headers), 200);
    const { address, linked, proven } = await walletOf(thief.key);
    assert.deepEqual({ address, linked, proven }, { address: payer.address, linked: true, proven: false });
    const taken = expectStatus(await linkPayer(url, owner.key, payer), 200).body.data.wallet;
    assert.deepEqual([taken.address, taken.proven], [payer.address, true]);
    const lost = await walletOf(thief.key);
    assert.deepEqual([lost.address, lost.linked], [null, false]);
    expectStatus(await linkPayer(url, thief.key, newPayer()), 200);
  });

  it('is not taken for the prize of another poster, and goes back', async () => {
    const [victim, thief] = [await draftOf(await registerPoster(url)), await draftOf(await registerPoster(url))];
    const payer = await richPayer();
    const headers = await executeOutside(chain.rpcUrl, payer, await victim.publish());
    codeIs(await thief.publish(headers), 402, 'PAYMENT_FAILED', /ask the operator to return/);
    codeIs(await victim.publish(headers), 402, 'PAYMENT_FAILED', /not known to be yours/);
  });

  it('pays the prize of a poster who has paid from this wallet before', async () => {
    const { poster, funder } = await openProject(world, { deadline: inHours(24) });
    const next = await draftOf(poster);
    await call(url, 'POST', '/dev/faucet', { body: { address: funder.address, amount_usdc: 1 } });
    const headers = await executeOutside(chain.rpcUrl, funder, await next.publish());
    expectStatus(await next.publish(headers), 200);
    await assertBooks(world);
  });

  it('pays for its entry although it has expired meanwhile', async () => {
    const { id } = await openProject(world, { deadline: inHours(24) });
    const [entry, payer] = [await enter(id), await richPayer()];
    // Facilitators refuse an authorization in its last six seconds as expired.
    const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, entry), { validSeconds: 5 });
    const answer = await present(entry, headers);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(await service.deps.chain.balanceMicro(payer.address), 4_750_000);
    await assertBooks(world);
  });

  it('pays for nothing after its end if it was never executed', async () => {
    const { id } = await openProject(world, { deadline: inHours(24) });
    const [entry, payer] = [await enter(id), await richPayer()];
    const presented = await signFor(payer, quoteOf(await requestUpload(url, entry)), { validBefore: now() + 5 });
    codeIs(await present(entry, headersOf(presented)), 402, 'PAYMENT_FAILED', /expired/);
  });
});
