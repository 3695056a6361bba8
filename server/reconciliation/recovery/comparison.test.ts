import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copyDatabase } from '../../../test/support/copy-database.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { codeOf, collect, network, pay, paymentWorld } from '../../../test/support/worlds/payment-world.ts';
import { withDecision } from '../../judging/ends/public.ts';
import { recoveryNeeded, serverName, whyStopped } from '../../ledger/public.ts';
import { ChainUnavailable } from '../../ports/chain.ts';
import { createComparison } from './comparison.ts';
import { randomUUIDv7 } from 'node:crypto';
import { messageOf } from './recover-now.ts';
import { lostTransfers, MOST_STRAYS } from './transfers.ts';

describe('createComparison', async () => {
  const world = await paymentWorld();
  const { db, payTo } = world;
  const own = { ...world.deps, network, payTo };
  const payer = await world.wallet(1_000_000);
  const quote = world.quote();
  await collect(world.deps, quote, await pay(payer, quote));

  it('lets nothing happen while the chain does not answer, and everything once it has', async () => {
    const chain = { ...own.chain, blockNumber: (): Promise<number> => Promise.reject(new ChainUnavailable()) };
    const comparison = createComparison({ ...own, chain });
    const deps = { ...own, comparison };
    assert.deepEqual([await comparison.made(), await comparison.make()], [false, false]);
    const balance = await own.chain.balanceMicro(payTo);
    const next = world.quote();
    const payment = await pay(payer, next);
    await assert.rejects(collect(deps, next, payment), {
      status: 503,
      retryAfterSeconds: 2,
      message: /Nothing was charged/,
    });
    await assert.rejects(
      withDecision(deps, async () => assert.fail('a decision was made')),
      {
        status: 503,
        message: /Nothing was changed/,
      },
    );
    assert.equal(await own.chain.balanceMicro(payTo), balance);
    chain.blockNumber = own.chain.blockNumber;
    assert.equal(await comparison.made(), true);
    await collect(deps, next, payment);
    assert.equal(await withDecision(deps, async () => 'made'), 'made');
    assert.equal(await recoveryNeeded(db), null);
  });

  it('does not wait for a chain that is silent', async () => {
    const chain = { ...own.chain, blockNumber: () => new Promise<number>(() => {}) };
    assert.equal(await createComparison({ ...own, chain }).made(), false);
  });

  it('is made again on another server, which a transaction notices at once', async () => {
    let reads = 0;
    const chain = { ...own.chain, blockNumber: async () => ((reads += 1), await own.chain.blockNumber()) };
    const comparison = createComparison({ ...own, chain });
    for (const _ of [1, 2]) assert.equal(await comparison.make(), true);
    assert.equal(reads, 1);
    const server = await serverName(db);
    assert.deepEqual([comparison.isOf(server), comparison.isOf(`${server}1`)], [true, false]);
    assert.equal(await whyStopped({ comparison }, db), null);
    const other = { comparison: { ...comparison, isOf: () => false } };
    assert.match((await whyStopped(other, db))?.reason ?? '', /compares its database with the chain/);
    const next = world.quote();
    assert.equal(await codeOf(collect({ ...own, ...other }, next, await pay(payer, next))), 'INTERNAL_ERROR');
  });

  it('notices a lost payment that its own facilitator brought, and no other transfer into the treasury', async () => {
    const restored = await testDatabase();
    await copyDatabase(db, restored.db);
    const old = { ...own, db: restored.db };
    await world.mintUsdc(payTo, 5);
    assert.equal(await createComparison(old).made(), true);
    assert.equal(await recoveryNeeded(restored.db), null);
    const next = world.quote();
    await collect(world.deps, next, await pay(payer, next));
    const { senders: _own, ...remote } = own.facilitator;
    await createComparison({ ...old, facilitator: remote }).made();
    assert.equal(await recoveryNeeded(restored.db), null);
    await createComparison(old).made();
    assert.match(
      (await recoveryNeeded(restored.db)) ?? '',
      /it does not know 1 payments into the treasury since block/,
    );
    assert.equal(await recoveryNeeded(db), null);
  });
});

it('tells the operator if a recovery cannot look at every recorded stray', async () => {
  const { db, deps, payTo } = await paymentWorld();
  const until = await deps.chain.blockNumber();
  const recordStrays = async (count: number) =>
    await db`
      insert into stray_transfers (id, network, tx_hash, log_index, sender, amount_micro, block_number, recorded_at)
      select gen_random_uuid(), ${network.id}, '0x' || lpad(md5(${randomUUIDv7()} || n), 64, '0'), 0,
        ${`0x${'a'.repeat(40)}`}, 5, ${until + 1000}, now()
      from generate_series(1, ${count}::integer) n`;
  const isCut = async () => (await lostTransfers({ ...deps, network, payTo }, { from: until, until })).cut;
  await recordStrays(MOST_STRAYS);
  assert.equal(await isCut(), false);
  await recordStrays(1);
  assert.equal(await isCut(), true);
  const report = {
    dryRun: true,
    fromBlock: until,
    untilBlock: until,
    findings: [],
    problems: null,
    recoveredUntil: null,
  };
  assert.doesNotMatch(messageOf({ ...report, straysCut: false }), /only the newest/);
  assert.match(
    messageOf({ ...report, straysCut: true }),
    /only the newest 1000 were looked at: return some, and run the recovery again/,
  );
});
