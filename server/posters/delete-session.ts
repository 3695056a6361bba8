import type { Input, Output } from '../../contract/basics/operation.ts';
import type { sessionOperations } from '../../contract/sessions.ts';
import type { Context } from '../deps.ts';
import { signOut } from '../keys/public.ts';
import type { PosterCaller } from '../callers.ts';

type Operation = typeof sessionOperations.deleteSession;

export async function deleteSession(
  ctx: Context<PosterCaller>,
  { query: { everywhere } }: Input<Operation>,
): Promise<Output<Operation>> {
  return await signOut(ctx, { kind: 'poster', accountId: ctx.caller.posterId }, { everywhere, most: 'full' });
}
