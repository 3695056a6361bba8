import { DomainError, validationError } from '../../contract/basics/errors.ts';
import type { networkOperations } from '../../contract/network.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';

type Operation = typeof networkOperations.mintTestUsdc;

/** Mints test USDC on the embedded chain. Other deployments have no faucet and answer NOT_FOUND. */
export async function mintTestUsdc(ctx: Context, { body }: Input<Operation>): Promise<Output<Operation>> {
  if (!ctx.faucet) throw new DomainError('NOT_FOUND', 'No such route.');
  // The treasury's balance must equal the payments to it, because reconciliation compares the two.
  if (body.address === ctx.payTo)
    throw validationError([{ field: 'address', message: 'the treasury only receives payments' }]);
  await ctx.faucet(body.address, body.amount_usdc);
  ctx.balances.drop(body.address);
  const balanceMicro = await ctx.chain.balanceMicro(body.address);
  return {
    message: 'Test USDC minted.',
    address: body.address,
    amount_micro: body.amount_usdc,
    balance_micro: balanceMicro,
  };
}
