import { DomainError, validationError } from '../../contract/errors.ts';
import type { networkOperations } from '../../contract/network.ts';
import type { Input, Output } from '../../contract/operation.ts';
import type { Context } from '../deps.ts';

type Operation = typeof networkOperations.mintTestUsdc;

/** The faucet of the embedded chain; a deployment without one has no such route. */
export async function mintTestUsdc(ctx: Context, { body }: Input<Operation>): Promise<Output<Operation>> {
  if (!ctx.faucet) throw new DomainError('NOT_FOUND', 'No such route.');
  // Its balance has to be what was paid to it: that is how the books are held against the chain.
  if (body.address === ctx.payTo)
    throw validationError([{ field: 'address', message: 'the treasury takes payments alone' }]);
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
