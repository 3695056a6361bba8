import type { flagOperations } from '../../../contract/operator/flags.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { changeFlag, findFlag, noFlag } from '../../entries/originality/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { shownFlags } from './list-flags.ts';

type Operation = typeof flagOperations.decideFlag;

/** Records the operator's decision on a flag and returns the flag as the list shows it. */
export async function decideFlag(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  await changeFlag(ctx, { params, body });
  const row = await findFlag(ctx.views, params.flag_id);
  const [flag] = row ? await shownFlags(ctx, [row]) : [];
  if (!flag) throw noFlag();
  return { message: `The flag is ${body.decision.replace('_', ' ')}.`, flag };
}
