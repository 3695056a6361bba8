import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, ledger, openProject, requestUpload } from '../support/clients/journey.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, service, chain, operatorKey: key } = world;
const { enter, richPayer } = entriesOf(world);
const project = await openProject(world);

type Stray = {
  id: string;
  sender: string | null;
  amount_micro: number;
  tx_hash: string | null;
  state: string;
  payment_id: string | null;
  payout: { id: string; state: string; recipient: string; amount_micro: number; kind: string } | null;
};

const strays = async (query = '') =>
  expectStatus(await call(url, 'GET', `/operator/strays${query}`, { key }), 200).body.data as {
    strays: Stray[];
    has_more: boolean;
    next_cursor: string | null;
  };
const giveBack = (id: string) =>
  call(url, 'POST', `/operator/strays/${id}/return`, { key, body: { reason: 'A mistake' } });

/** An entry whose fee its payer has sent by itself, and that the service has found on chain. */
async function stray(projectId = project.id) {
  const [entry, payer] = [await enter(projectId), await richPayer()];
  const headers = await executeOutside(chain.rpcUrl, payer, await requestUpload(url, entry));
  await ledger(world);
  const found = (await strays()).strays.find(({ sender }) => sender === payer.address);
  assert.ok(found);
  return { entry, payer, headers, found };
}

const balance = (address: string) => service.deps.chain.balanceMicro(address);
const accountOf = async (name: string) =>
  (await ledger(world)).accounts.find(({ account }) => account === name)?.balance_micro ?? 0;

describe('a stray transfer', () => {
  it('is listed, and goes back to its sender once', async () => {
    const { payer, headers, entry, found } = await stray();
    assert.match(found.tx_hash ?? '', /^0x[0-9a-f]{64}$/);
    assert.deepEqual(
      [found.amount_micro, found.state, found.payment_id, found.payout],
      [250_000, 'unclaimed', null, null],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => giveBack(found.id)));
    for (const answer of answers) expectStatus(answer, 200);
    assert.equal(new Set(answers.map(({ body }) => body.data.stray.payout.id as string)).size, 1);
    await until('the money is back', async () => (await balance(payer.address)) === 5_000_000);
    const [returned] = (await strays('?state=returned')).strays;
    await until('its booking', async () => (await strays('?state=returned')).strays[0]?.payout?.state === 'settled');
    assert.deepEqual(
      [returned?.id, returned?.payout?.recipient, returned?.payout?.kind, returned?.payout?.amount_micro],
      [found.id, payer.address, 'return', 250_000],
    );
    await assertBooks(world);
    // It pays for nothing any more, and is not given back a second time.
    codeIs(await requestUpload(url, { ...entry, headers }), 402, 'PAYMENT_FAILED', /given back/);
    expectStatus(await giveBack(found.id), 200);
    assert.deepEqual([await accountOf('stray'), await balance(payer.address)], [0, 5_000_000]);
    await assertBooks(world);
    const [line] = expectStatus(
      await call(url, 'GET', `/operator/audit?subject=payout:${returned?.payout?.id}`, { key }),
      200,
    ).body.data.entries.filter(({ action }: { action: string }) => action === 'transfer.return');
    assert.deepEqual([line.actor, line.reason], ['operator', 'A mistake']);
  });

  it('that went back takes no place of a project', async () => {
    const { id } = await openProject(world, { fields: { max_entries: 2 } });
    for (let round = 0; round < 3; round += 1) {
      const { entry, headers, found } = await stray(id);
      expectStatus(await giveBack(found.id), 200);
      codeIs(await requestUpload(url, { ...entry, headers }), 402, 'PAYMENT_FAILED', /given back/);
      codeIs(await requestUpload(url, { ...entry, headers }), 402, 'PAYMENT_FAILED', /failed before/);
    }
    const [{ taken }] = await service.deps.db<[{ taken: number }]>`
      select places_taken as taken from projects where id = ${id}`;
    assert.equal(taken, 0);
  });

  it('stays with the payment that claims it', async () => {
    const { entry, headers, found } = await stray();
    expectStatus(await requestUpload(url, { ...entry, headers }), 200);
    codeIs(await giveBack(found.id), 409, 'PROJECT_STATE_CONFLICT', /claimed/);
    const claimed = (await strays('?state=claimed')).strays.find(({ id }) => id === found.id);
    assert.ok(claimed?.payment_id);
    await assertBooks(world);
  });

  it('is either paid with or given back, however close the two come', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { entry, payer, headers, found } = await stray();
      const [paid, returned] = await Promise.all([requestUpload(url, { ...entry, headers }), giveBack(found.id)]);
      const answers = [paid.status, returned.status];
      assert.ok(
        [
          [200, 409],
          [402, 200],
        ].some((good) => good.join() === answers.join()),
        answers.join(),
      );
      const expected = paid.status === 200 ? 4_750_000 : 5_000_000;
      await until('the end', async () => (await balance(payer.address)) === expected);
      await until('the bookings', async () => {
        const [{ open }] = await service.deps.db<[{ open: number }]>`
          select count(*)::int as open from payouts where state <> 'settled'`;
        return open === 0;
      });
      await assertBooks(world);
    }
  });

  it('without a known sender cannot go back', async () => {
    await chain.mintUsdc(service.deps.payTo, 7);
    await ledger(world);
    const [minted] = (await strays('?state=unclaimed')).strays;
    assert.deepEqual([minted?.sender, minted?.amount_micro], [null, 7]);
    codeIs(await giveBack(minted!.id), 409, 'PROJECT_STATE_CONFLICT', /who sent/);
    assert.equal(await accountOf('stray'), 7);
  });

  it('is listed page by page, for the operator only', async () => {
    const all = (await strays()).strays;
    const seen: Stray[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Awaited<ReturnType<typeof strays>> = await strays(`?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.strays);
      cursor = page.next_cursor;
    }
    assert.deepEqual(seen, all);
    for (const query of ['?state=gone', '?limit=0', '?cursor=x'])
      codeIs(await call(url, 'GET', `/operator/strays${query}`, { key }), 400, 'INVALID_PARAMETER');
    codeIs(await giveBack(randomUUIDv7()), 404, 'NOT_FOUND');
    for (const path of ['/operator/strays', `/operator/strays/${all[0]!.id}/return`])
      codeIs(
        await call(url, path.endsWith('return') ? 'POST' : 'GET', path, { key: project.poster.key }),
        401,
        'INVALID_API_KEY',
      );
  });
});
