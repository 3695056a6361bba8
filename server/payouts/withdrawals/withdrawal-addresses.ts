import { DomainError, validationError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { withdrawalAddressOperations } from '../../../contract/operator/withdrawal-addresses.ts';
import { actorOf, recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { recordAlert } from '../../events/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';
import {
  deleteAddress,
  insertAddress,
  listAddresses,
  lockAddress,
  type WithdrawalAddress,
} from './withdrawal-address-queries.ts';

type Ctx = Context<OperatorCaller>;
type Operations = typeof withdrawalAddressOperations;

export async function listWithdrawalAddresses({ db }: Ctx): Promise<Output<Operations['listWithdrawalAddresses']>> {
  return { addresses: (await listAddresses(db)).map(shown) };
}

/** Lists an address. All operators are told, so that they can remove a thief's address before it can receive. */
export async function addWithdrawalAddress(
  ctx: Ctx,
  { body: { address, reason } }: Input<Operations['addWithdrawalAddress']>,
): Promise<Output<Operations['addWithdrawalAddress']>> {
  if (address === ctx.payTo) throw validationError([{ field: 'address', message: 'must not be the treasury' }]);
  const at = ctx.clock.now();
  const addedBy = actorOf(ctx.caller);
  const usableAt = new Date(at.getTime() + ctx.config.operatorWaitMs);
  const row = await withTransaction(ctx.db, async (tx) => {
    const added = { address, addedBy, reason, createdAt: at, usableAt };
    if (!(await insertAddress(tx, added))) return await lockAddress(tx, address);
    const subject = `address:${address}` as const;
    const details = { usable_at: usableAt.toISOString() };
    await recordAudit(ctx, tx, { at, actor: 'operator', action: 'address.add', subject, reason, details });
    const message = `${addedBy} listed an address for withdrawals.`;
    await recordAlert(tx, at, { type: 'ALERT.WITHDRAWAL_ADDRESS', data: { subject, message, details } });
    return added;
  });
  if (!row) throw new DomainError('NOT_FOUND', 'The address was removed meanwhile.');
  return { message: `Withdrawals can go to it from ${row.usableAt.toISOString()}.`, address: shown(row) };
}

export async function removeWithdrawalAddress(
  ctx: Ctx,
  { params: { address }, body: { reason } }: Input<Operations['removeWithdrawalAddress']>,
): Promise<Output<Operations['removeWithdrawalAddress']>> {
  const at = ctx.clock.now();
  const row = await withTransaction(ctx.db, async (tx) => {
    const removed = await deleteAddress(tx, address);
    if (!removed) throw new DomainError('NOT_FOUND', 'This address is not listed.');
    await recordAudit(ctx, tx, {
      at,
      actor: 'operator',
      action: 'address.remove',
      subject: `address:${address}`,
      reason,
    });
    return removed;
  });
  return { message: 'New withdrawals cannot go to it.', address: shown(row) };
}

/** @throws DomainError RECIPIENT_NOT_LISTED unless the address is listed, and its wait is over */
export async function requireListed(tx: Tx, address: string, now: Date): Promise<void> {
  const row = await lockAddress(tx, address);
  if (!row)
    throw new DomainError('RECIPIENT_NOT_LISTED', 'List this address first: POST /operator/withdrawal-addresses.');
  if (row.usableAt > now)
    throw new DomainError('RECIPIENT_NOT_LISTED', `This address can receive from ${row.usableAt.toISOString()}.`);
}

function shown(row: WithdrawalAddress): Output<Operations['addWithdrawalAddress']>['address'] {
  return {
    address: row.address,
    added_by: row.addedBy,
    reason: row.reason,
    created_at: row.createdAt,
    usable_at: row.usableAt,
  };
}
