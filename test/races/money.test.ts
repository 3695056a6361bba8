import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  registerPoster,
  requestUpload,
} from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { challengeWallet, linkWallet } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Money and wallets on two processes of the service with one database.

const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    // One party gets 10 USDC a day.
    PAYOUT_CAP_USDC: '10',
    PAYOUT_DAILY_CAP_USDC: '100',
    LIMIT_POSTER_PER_MINUTE: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
  },
});
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const urlOf = (index: number) => urls[index % urls.length]!;
const market = { url, mintUsdc: ground.mintUsdc };
const { db, operatorKey: key, chain } = ground;

async function assertBooksAreTheChain(): Promise<void> {
  const { problems, balanced, chain_matches } = await ledger({ url, operatorKey: key });
  assert.deepEqual([problems, balanced, chain_matches], [[], true, true]);
}

describe('two processes', () => {
  it('give a stray back once', async () => {
    const project = await openProject(market);
    const [{ key: agentKey }, payer] = [await registerAgent(url), newPayer()];
    await ground.mintUsdc(payer.address, 1_000_000);
    const { id: submissionId } = await createIntent(url, agentKey, project.id);
    const request = { key: agentKey, projectId: project.id, submissionId, sizeBytes: 1000 };
    await executeOutside(ground.rpcUrl, payer, expectStatus(await requestUpload(url, request), 402));
    await ledger({ url, operatorKey: key });
    const { strays } = expectStatus(await call(url, 'GET', '/operator/strays', { key }), 200).body.data;
    const path = `/operator/strays/${strays[0].id}/return`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call(urlOf(index), 'POST', path, { key, body: { reason: 'A mistake' } }),
      ),
    );
    const payouts = answers.map((answer) => expectStatus(answer, 200).body.data.stray.payout.id as string);
    assert.equal(new Set(payouts).size, 1);
    await until('the money is back', async () => (await chain.balanceMicro(payer.address)) === 1_000_000);
    await until(
      'its booking',
      async () => (await db`select 1 from payouts where kind = 'return' and state = 'settled'`).length,
    );
    await assertBooksAreTheChain();
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
  });

  it('keep the cap of one poster together', async () => {
    const poster = await registerPoster(url);
    const projects = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const project = await openProject(market, { poster, prizeUsdc: 4, entryFeeUsdc: 0 });
        const winner = await enter(market, project);
        expectStatus(await close(market, project), 200);
        return { project, winner };
      }),
    );
    await Promise.all(
      projects.map(async ({ project, winner }, index) =>
        until('the choice', async () => (await choose({ url: urlOf(index) }, project, winner)).status === 200),
      ),
    );
    const states = await until('every payout was looked at', async () => {
      const rows = await db<{ state: string; note: string | null }[]>`
        select state, note from payouts where poster_id = ${poster.id}`;
      return rows.length === 5 && rows.every(({ state }) => state === 'settled' || state === 'held') && rows;
    });
    // Each winner gets 3.8 USDC, and 10 USDC are enough for two.
    assert.equal(states.filter(({ state }) => state === 'settled').length, 2);
    assert.deepEqual(
      [...new Set(states.filter(({ state }) => state === 'held').map(({ note }) => note))],
      ['over the daily cap of one poster'],
    );
    const body = { reason: 'Known to us' };
    const released = await Promise.all(
      urls.map(async (at) => expectStatus(await call(at, 'POST', '/operator/payouts/release', { key, body }), 200)),
    );
    assert.equal(
      released.reduce((sum, answer) => sum + answer.body.data.released, 0),
      3,
    );
    await until('the rest', async () => {
      const rows = await db`select 1 from payouts where poster_id = ${poster.id} and state = 'settled'`;
      return rows.length === 5;
    });
    await assertBooksAreTheChain();
  });

  it('give a wallet that only paid to one of the agents that sign with it', async () => {
    const project = await openProject(market);
    const { key: payerKey, payer } = await enter(market, project, { until: 'paid' });
    const agents = await Promise.all(Array.from({ length: 6 }, () => registerAgent(url)));
    const signed = await Promise.all(
      agents.map(async ({ key: agentKey }, index) => {
        // A challenge names the URL of its process.
        const message = await challengeWallet(urlOf(index), agentKey, payer.address);
        return { agentKey, message, signature: await payer.account.signMessage({ message }) };
      }),
    );
    const answers = await Promise.all(
      signed.map(({ agentKey, message, signature }, index) => linkWallet(urlOf(index), agentKey, message, signature)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    );
    const holders = await db`
      select id from agents where wallet_address = ${payer.address} and wallet_linked_at is not null`;
    assert.equal(holders.length, 1);
    const { wallet } = expectStatus(await call(url, 'GET', '/agents/me', { key: payerKey }), 200).body.data;
    assert.deepEqual([wallet.address, wallet.linked], [null, false]);
  });
});
