import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { network, paymentWorld } from '../../../test/support/worlds/payment-world.ts';
import { messageOf } from './recover-now.ts';
import { lostTransfers, MOST_STRAYS } from './transfers.ts';

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
