import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { payoutNonce } from '../payouts/references.ts';
import { findClaimed } from './signer-queries.ts';

const { db } = await testDatabase();
const [treasury, recipient] = [`0x${'b'.repeat(40)}`, `0x${'e'.repeat(40)}`];

async function withdrawal(createdAt: string, amountMicro: number): Promise<string> {
  const [id, reference] = [randomUUIDv7(), `withdrawal:${randomUUIDv7()}`];
  await db`
    insert into payouts (id, reference, kind, amount_micro, debit_account, recipient, state, due_at, created_at, updated_at,
      sent_at)
    values (${id}, ${reference}, 'withdrawal', ${amountMicro}, 'revenue', ${recipient}, 'sending', now(), ${createdAt}, now(),
      now())`;
  await db`
    insert into payments (id, kind, subject_id, network, asset, payer, pay_to, amount_micro, auth_nonce, valid_before,
      x402_version, payload, requirements, from_block, state, created_at, updated_at, sweep_at)
    values (${randomUUIDv7()}, 'payout', ${id}, 'eip155:84532', ${`0x${'a'.repeat(40)}`}, ${treasury}, ${recipient},
      ${amountMicro}, ${payoutNonce(reference)}, 1, 2, '{}', '{}', 1, 'settling', now(), now(), now())`;
  return id;
}

async function approval(
  decidedAt: string,
  amountMicro: number,
  { operation = 'withdrawRevenue', state = 'approved' } = {},
) {
  await db`
    insert into operator_approvals (id, operation, subject, input, fingerprint, amount_micro, state, requested_by,
      requested_at, expires_at, decided_by, decided_at)
    values (${randomUUIDv7()}, ${operation}, ${`address:${recipient}`}, '{}', 'x', ${amountMicro}, ${state}, 'operator:ann',
      ${decidedAt}, ${decidedAt}, 'operator:bob', ${decidedAt})`;
}

describe('the view of the signer', () => {
  it('adds up the withdrawals of a UTC day until this one, and what was approved of them', async () => {
    const before = await withdrawal('2026-11-22T23:59:59.999Z', 1);
    const first = await withdrawal('2026-11-23T00:00:00.000Z', 20);
    const second = await withdrawal('2026-11-23T23:59:59.999Z', 300);
    const next = await withdrawal('2026-11-24T00:00:00.001Z', 4_000);
    await approval('2026-11-22T12:00:00Z', 7);
    await approval('2026-11-23T12:00:00Z', 50_000);
    await approval('2026-11-23T12:00:00Z', 600_000, { state: 'rejected' });
    await approval('2026-11-23T12:00:00Z', 7_000_000, { operation: 'returnStray' });
    // Its withdrawal was recorded a moment later, on the next day.
    await approval('2026-11-23T23:59:59.999Z', 80_000_000);
    const sums = async (id: string) => {
      const row = await findClaimed(db, id);
      return [row?.withdrawnMicro, row?.withdrawnApprovedMicro];
    };
    assert.deepEqual(await sums(before), [1, 80_050_007]);
    assert.deepEqual(await sums(first), [20, 80_050_000]);
    assert.deepEqual(await sums(second), [320, 80_050_000]);
    assert.deepEqual(await sums(next), [4_000, 80_000_000]);
  });
});
