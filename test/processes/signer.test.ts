import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { newPayer } from '../support/clients/client.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { type Payout, signedWorld, USDC } from '../support/worlds/signed-world.ts';

// The treasury's key is in a process of its own. Payouts wait for it, survive its end, and are paid once.

const world = await signedWorld();
const { db, chain, url, operatorKey, market, socket, env, owner, treasuryKey, signers, processes, operator, books } =
  world;
const {
  ready,
  decide,
  cancel,
  retry,
  settled,
  payoutsOf,
  restartSigner,
  assertPrizePaid,
  assertGivenBack,
  metric,
  alerts,
} = world;

describe('a service beside a signer', () => {
  it('pays a prize, refunds, a stray that goes back, and a withdrawal', async () => {
    const [won, lost] = [await ready(), await ready()];
    await decide(won);
    await cancel(lost);
    await assertPrizePaid(won);
    await assertGivenBack(lost);

    const project = await openProject(market, { entryFeeUsdc: 0.25 });
    const [{ key }, payer] = [await registerAgent(url), newPayer()];
    await market.mintUsdc(payer.address, USDC);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const upload = { key, projectId: project.id, submissionId, sizeBytes: 1000 };
    await executeOutside(world.rpcUrl, payer, expectStatus(await requestUpload(url, upload), 402));
    await ledger({ url, operatorKey });
    const { strays } = await operator('GET', '/strays?state=unclaimed');
    await operator('POST', `/strays/${strays[0].id}/return`, { reason: 'A mistake' });
    await until('the stray is back', async () => (await chain.balanceMicro(payer.address)) === USDC);

    await operator('POST', '/withdrawal-addresses', { address: owner, reason: 'Our bank' });
    await operator('POST', '/withdrawals', { amount_usdc: 0.2, recipient: owner, reason: 'Earned' });
    await until('the withdrawal', async () => (await chain.balanceMicro(owner)) === 200_000);
    await until('its booking', async () => (await db`select 1 from payouts where state = 'sending'`).length === 0);
    await books();
    assert.ok(await metric('concours_dependency_up{part="signer"} 1'));
    assert.doesNotMatch(processes.signer.output(), new RegExp(treasuryKey.slice(2)));
  });

  it('lets a withdrawal wait that the signer’s own list does not name, and shows why', async () => {
    const thief = newPayer().address.toLowerCase();
    await operator('POST', '/withdrawal-addresses', { address: thief, reason: 'A thief with an admin key' });
    const { payout } = await operator('POST', '/withdrawals', { amount_usdc: 0.01, recipient: thief, reason: 'Mine' });
    const find = async () => (await db<Payout[]>`select * from payouts where id = ${payout.id}`)[0]!;
    const refused = await until('the refusal', async () => ((await find()).note === null ? null : await find()));
    assert.equal(refused.state, 'sending');
    assert.equal(refused.note, 'the signer refuses it: SIGNER_WITHDRAWAL_ADDRESSES does not name the recipient');
    const [alert] = await until('the alert', async () => {
      const found = (await alerts('ALERT.SIGNER_REFUSED')).filter(({ data }) => data.subject === `payout:${payout.id}`);
      return found.length > 0 && found;
    });
    assert.match(alert!.data.message, /SIGNER_WITHDRAWAL_ADDRESSES/);
    const [payment] = await db`select state, error from payments where subject_id = ${payout.id}`;
    assert.deepEqual([payment?.['state'], payment?.['error']], ['settling', 'signer_refused: address_not_listed']);
    await retry(payout.id);
    assert.equal(await chain.balanceMicro(thief), 0);
    await restartSigner({ SIGNER_WITHDRAWAL_ADDRESSES: `${owner}, ${thief}` });
    await retry(payout.id);
    assert.deepEqual([(await find()).state, (await find()).note], ['settled', null]);
  });
});

describe('a service that is killed', () => {
  it('after the signer signed, pays once', async () => {
    const [prize, refund] = [await ready(), await ready()];
    for (const [one, act, assertPaid] of [
      [prize, decide, assertPrizePaid],
      [refund, cancel, assertGivenBack],
    ] as const) {
      await processes.service.crashAt('after signing');
      await act(one).catch(() => {});
      assert.equal(await processes.service.running.ended, 'SIGKILL', processes.service.running.output());
      await world.startAgain();
      // Until then the sweeper may sign this payout again, which would end the next process too early.
      await assertPaid(one);
    }
  });
});

describe('a signer', () => {
  it('keeps its cap of a day over a restart', async () => {
    const [first, second] = [await ready(), await ready()];
    const [sent] = await db<{ micro: number }[]>`
      select sum(amount_micro)::bigint as micro from payouts where kind in ('prize', 'share', 'withdrawal') and sent_at is not null`;
    const cap = { SIGNER_DAILY_CAP_USDC: String((sent!.micro + USDC) / USDC), SIGNER_CAP_USDC: '1' };
    await restartSigner(cap);
    await decide(first);
    await settled(first);
    await restartSigner(cap);
    await decide(second);
    const [waiting] = await until('the refusal', async () => {
      const payouts = await payoutsOf(second);
      return payouts.some(({ note }) => note !== null) && payouts;
    });
    assert.match(waiting!.note ?? '', /^the signer refuses it: SIGNER_DAILY_CAP_USDC is used up/);
    await restartSigner();
    await retry(waiting!.id);
    await assertPrizePaid(second);
  });

  it('that is gone lets payouts wait unclaimed, is told, and pays them when it is back', async () => {
    const one = await ready();
    await processes.signer.kill('SIGKILL');
    await decide(one);
    await until('the alert', async () => (await alerts('ALERT.SIGNER_DOWN')).length > 0);
    assert.deepEqual(
      (await payoutsOf(one)).map(({ state }) => state),
      ['ready'],
    );
    assert.ok(await metric('concours_dependency_up{part="signer"} 0'));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    processes.signer = await signers.start(env);
    await assertPrizePaid(one);
  });

  it('whose socket every user may use gets no request', async () => {
    const one = await ready();
    await chmod(socket, 0o666);
    await decide(one);
    await until('the metric', () => metric('concours_dependency_up{part="signer"} 0'));
    assert.deepEqual(
      (await payoutsOf(one)).map(({ state }) => state),
      ['ready'],
    );
    await chmod(socket, 0o660);
    await assertPrizePaid(one);
  });

  it('that is killed among the payouts of two workers pays each of them once', async () => {
    const all = [await ready(), await ready(), await ready(), await ready()];
    const other = await world.start();
    await Promise.all(all.map((one, index) => (index % 2 === 0 ? decide(one) : cancel(one))));
    for (let kills = 0; kills < 3; kills += 1) await restartSigner();
    for (const [index, one] of all.entries()) {
      await settled(one);
      if (index % 2 === 1) await assertGivenBack(one);
      else await assertPrizePaid(one);
    }
    await other.running.kill('SIGKILL');
    const twice = await db`select 1 from payments where state = 'settled' and kind in ('payout', 'refund')
      group by subject_id having count(*) > 1`;
    assert.equal(twice.length, 0);
    await books();
  });
});
