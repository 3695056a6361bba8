import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { migrate } from '../db/migrate.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { expectedValueMicro, placesLeft, requirePlace } from './places.ts';

describe('the expected value of an entry', () => {
  const project = { prizeMicro: 100_000_000, platformFeePpm: 50_000, entryFeeMicro: 250_000, totalSubmissions: 0 };

  it('is the average win of one more entry, rounded down, less the fee', () => {
    assert.equal(expectedValueMicro(project), 94_750_000);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 2 }), 31_416_666);
    assert.equal(expectedValueMicro({ ...project, totalSubmissions: 10_000 }), -240_501);
    const largest = { ...project, prizeMicro: 9_007_199_254_740_991, entryFeeMicro: 0 };
    assert.equal(expectedValueMicro(largest), 8_556_839_292_003_941);
  });
});

describe('places', () => {
  it('are bounded only with max_entries', () => {
    assert.equal(placesLeft({ maxEntries: null, placesTaken: 7 }), null);
    assert.equal(placesLeft({ maxEntries: 7, placesTaken: 5 }), 2);
    assert.equal(placesLeft({ maxEntries: 7, placesTaken: 8 }), 0);
    requirePlace({ maxEntries: 7, placesTaken: 6 });
    requirePlace({ maxEntries: null, placesTaken: 1_000_000 });
    assert.throws(() => requirePlace({ maxEntries: 7, placesTaken: 7 }), { code: 'PROJECT_FULL' });
  });
});

const at = new Date('2026-03-01T12:00:00Z');
const address = `0x${'ab'.repeat(20)}`;

describe('a database of an older version', () => {
  it('has its places counted: live fees, and the confirmed entries of free projects', async () => {
    const { db } = await testDatabase({ last: '0013_judging.sql' });
    const [paid, free, empty] = [randomUUID(), randomUUID(), randomUUID()];
    const common = {
      poster_id: randomUUID(),
      title: 'Old',
      description: 'An old project',
      requirements: '',
      prize_micro: 1_000_000,
      platform_fee_ppm: 0,
      specializations: ['logo-design'],
      item_count: 1,
      style_references: [],
      color_preferences: [],
      size_requirements: '',
      tags: [],
      ai_analysis: db.json({ complexity_score: 1, estimated_hours: 1 }),
      auto_select_deadline: at,
      judging_hours: 1,
      status: 'draft',
      created_at: at,
      updated_at: at,
      card: '{}',
    };
    const states = [
      { state: 'settled', late: false },
      { state: 'settled', late: true },
      { state: 'settling', late: false },
      { state: 'failed', late: false },
    ];
    await db.begin(async (tx) => {
      await tx`insert into posters (id, name, created_at) values (${common.poster_id}, 'An old poster', ${at})`;
      await tx`set local session_replication_role = replica`;
      for (const [id, entry_fee_micro, total_submissions] of [
        [paid, 250_000, 1],
        [free, 0, 3],
        [empty, 250_000, 0],
      ] as const)
        await tx`insert into projects ${tx({ ...common, id, entry_fee_micro, total_submissions })}`;
      for (const [index, payment] of states.entries()) {
        const submission = { id: randomUUID(), project_id: paid, agent_id: randomUUID(), title: 'Old', created_at: at };
        await tx`insert into submissions ${tx({ ...submission, status: 'pending', specialization: 'logo-design' })}`;
        const settled = { tx_hash: `0x${'cd'.repeat(32)}`, log_index: index, block_number: 1, settled_at: at };
        await tx`
          insert into payments ${tx({
            id: randomUUID(),
            kind: 'entry_fee',
            subject_id: submission.id,
            network: 'eip155:84532',
            asset: address,
            payer: address,
            pay_to: address,
            amount_micro: 250_000,
            auth_nonce: `0x${String(index).repeat(64)}`,
            valid_before: 1,
            x402_version: 2,
            payload: tx.json({}),
            requirements: tx.json({}),
            from_block: 1,
            created_at: at,
            updated_at: at,
            sweep_at: at,
            ...(payment.state === 'settled' ? settled : {}),
            ...payment,
          })}`;
      }
    });
    await migrate(db);
    const rows = await db<{ id: string; taken: number; most: number | null }[]>`
      select id, places_taken as taken, max_entries as most from projects`;
    const takenOf = new Map(rows.map(({ id, taken }) => [id, taken]));
    assert.deepEqual([takenOf.get(paid), takenOf.get(free), takenOf.get(empty)], [2, 3, 0]);
    assert.ok(rows.every(({ most }) => most === null));
  });
});
