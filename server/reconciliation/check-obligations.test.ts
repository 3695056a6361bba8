import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { withTransaction } from '../db/transaction.ts';
import { checkObligations } from './check-obligations.ts';
import { judgingWorld } from '../../test/support/worlds/judging-world.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../db/database.ts';
import { copyDatabase } from '../../test/support/copy-database.ts';
import { codeOf, collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { withDecision } from '../judging/ends/decide.ts';
import {
  finishRecovery,
  recoveryNeeded,
  recoveryNeededSince,
  requireRecovery,
  serverName,
  whyStopped,
} from '../ledger/public.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { createComparison } from './recovery/comparison.ts';
import { bookLost, recover } from './recovery/recover.ts';
import { messageOf } from './recovery/recover-now.ts';
import { lostTransfers, MOST_STRAYS } from './recovery/transfers.ts';

describe('checkObligations', async () => {
  const { db } = await testDatabase();
  const world = await judgingWorld(db);
  const open = await world.openProject();
  await world.enter(open);
  const { id: won, entries } = await world.judged([5, 4]);
  await world.choose(won, entries[0]!.id);
  const { id: cancelled } = await world.judged([3]);
  await world.operatorCancel(cancelled);
  const problems = async () => (await withTransaction(db, checkObligations)).problems;

  it('finds no problem in open, awarded, and cancelled projects, and counts what is owed', async () => {
    const { unsettled } = await withTransaction(db, checkObligations);
    assert.deepEqual(await problems(), []);
    assert.deepEqual(
      unsettled.map(({ state, count }) => [state, count]),
      [
        ['ready', 2],
        ['waiting', 1],
      ],
    );
  });

  /** Returns the reported problems after a change that no statement of the service could make. */
  async function seen(tamper: (tx: Tx) => Promise<unknown>): Promise<string[]> {
    let found: string[] = [];
    const undone = new Error('undone');
    await assert.rejects(
      db.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tamper(tx);
        found = (await checkObligations(tx)).problems;
        throw undone;
      }),
      undone,
    );
    assert.deepEqual(await problems(), []);
    return found;
  }

  const hash = `0x${'ab'.repeat(32)}`;
  const faults: Record<string, [tamper: (tx: Tx) => Promise<unknown>, expected: RegExp[]]> = {
    'a prize that differs from what the winner receives': [
      (tx) => tx`update payouts set amount_micro = amount_micro - 1 where project_id = ${won}`,
      [/^project \S+ owes 94999999, which is not/],
    ],
    'an award without a payout': [
      (tx) => tx`delete from payouts where project_id = ${won}`,
      [/^project \S+ owes 0, which is not/],
    ],
    'a share in addition to the prize': [
      (tx) => tx`
        insert into payouts select (jsonb_populate_record(payouts, jsonb_build_object(
          'id', ${randomUUIDv7()}::text, 'reference', 'another', 'kind', 'share', 'amount_micro', 1))).*
        from payouts where project_id = ${won}`,
      [
        /^project \S+ owes 95000001, which is not/,
        /^account escrow:\S+ has a balance of 95000000, but unsettled payouts of 95000001/,
      ],
    ],
    'a prize of a project that was never awarded': [
      (tx) => tx`update projects set awarded_at = null, selection = null where id = ${won}`,
      [
        /^project \S+ owes 95000000, which is not/,
        /^the escrow of project \S+ has a balance of 95000000, which with its settled payouts is not its prize of 100000000/,
      ],
    ],
    'a refund that exceeds the payment': [
      (tx) =>
        tx`update payouts set amount_micro = amount_micro + 1 where project_id = ${cancelled} and submission_id is null`,
      [
        /^refund \S+ differs from the payment/,
        /^account escrow:\S+ has a balance of 100000000, but unsettled payouts of 100000001/,
        /^account escrow:\S+ of a cancelled project/,
      ],
    ],
    'a refund to another recipient': [
      (tx) =>
        tx`update payouts set recipient = ${`0x${'e'.repeat(40)}`} where project_id = ${cancelled} and submission_id is null`,
      [/^refund \S+ differs from the payment/],
    ],
    'a refund from the account of another project': [
      (tx) =>
        tx`update payouts set debit_account = ${`fees:${open}`} where project_id = ${cancelled} and submission_id is not null`,
      [
        /^refund \S+ differs from the payment/,
        /^account fees:\S+ of a cancelled project has a balance of 250000, but unsettled payouts of 0/,
      ],
    ],
    'a payment without its refund': [
      (tx) => tx`delete from payouts where project_id = ${cancelled} and submission_id is null`,
      [/^account escrow:\S+ of a cancelled project has a balance of 100000000, but unsettled payouts of 0/],
    ],
    'a payout that settled without a payment': [
      (tx) => tx`
        update payouts set state = 'settled', sent_at = now(), settled_at = now(), tx_hash = ${hash}
        where project_id = ${cancelled} and submission_id is null`,
      [
        /^payout \S+ is settled without exactly one payment/,
        /^account escrow:\S+ of a cancelled project has a balance of 100000000, but unsettled payouts of 0/,
      ],
    ],
    'an outgoing payment without a payout': [
      (tx) =>
        tx`update payments set kind = 'refund' where kind = 'entry_fee' and subject_id in (select id from submissions where project_id = ${open})`,
      [/^payment \S+ left the treasury but settles no payout/],
    ],
    'an escrow that differs from the prize': [
      (tx) => tx`update ledger_accounts set balance_micro = balance_micro - 1 where id = ${`escrow:${open}`}`,
      [
        /^the escrow of project \S+ has a balance of 99999999, which with its settled payouts is not its prize of 100000000/,
      ],
    ],
    'an account without a project': [
      (tx) => tx`insert into ledger_accounts values (${`fees:${randomUUIDv7()}`}, 'credit', 5)`,
      [/^account fees:\S+ of a missing project has a balance of 5/],
    ],
    'a balance that is left after completion': [
      (tx) => tx`update projects set status = 'completed' where id = ${open}`,
      [
        /^account escrow:\S+ of a completed project has a balance of 100000000/,
        /^account fees:\S+ of a completed project has a balance of 250000/,
      ],
    ],
  };
  for (const [fault, [tamper, expected]] of Object.entries(faults)) {
    it(`reports ${fault}`, async () => {
      const found = await seen(tamper);
      assert.equal(found.length, expected.length, found.join('\n'));
      for (const pattern of expected)
        assert.ok(
          found.some((problem) => pattern.test(problem)),
          `${pattern} in ${found.join('\n')}`,
        );
    });
  }
});

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

  it('concludes nothing from a node that is behind, and neither does a recovery', async () => {
    const chain = { ...own.chain, check: () => Promise.reject(new ChainUnavailable()) };
    assert.equal(await createComparison({ ...own, chain }).made(), false);
    await assert.rejects(bookLost({ ...own, chain } as unknown as Deps, { dryRun: true }), ChainUnavailable);
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

it('ends no recovery on another server, or after one became necessary while it ran', async () => {
  const { db, deps, payTo } = await paymentWorld();
  const own = { ...deps, network, payTo } as unknown as Deps;
  const server = await serverName(db);
  const check = async () => {
    await requireRecovery(db, 'a failover lost payments', deps.clock.now());
    await own.chain.check();
  };
  const report = await recover({ ...own, chain: { ...own.chain, check } }, { dryRun: false });
  assert.equal(report.recoveredUntil, null);
  assert.match(messageOf(report), /^Payouts stay stopped: .* run the recovery again$/);
  const since = await recoveryNeededSince(db);
  assert.ok(since);
  const finished = { since, untilBlock: report.untilBlock, at: since };
  assert.equal(await finishRecovery(db, { ...finished, server: `${server}1` }), false);
  assert.equal(await recoveryNeeded(db), 'a failover lost payments');
  assert.ok((await recover(own, { dryRun: false })).recoveredUntil);
  assert.equal(await recoveryNeeded(db), null);
  assert.equal(await finishRecovery(db, { ...finished, server }), true, 'another recovery was faster');
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
  const blocks = { fromBlock: until, untilBlock: until, recoveredUntil: null };
  const message = messageOf({ ...blocks, dryRun: true, findings: [], problems: null, straysCut: true });
  assert.match(message, /only the newest 1000 were looked at: return some, and run the recovery again/);
});
