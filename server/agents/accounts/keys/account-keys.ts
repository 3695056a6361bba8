import type { keyOperations } from '../../../../contract/agents/keys.ts';
import type { Input, Output } from '../../../../contract/basics/operation.ts';
import type { Context } from '../../../deps.ts';
import { createAccountKey, listAccountKeys, revokeAccountKey } from '../../../keys/public.ts';
import type { AgentCaller } from '../../../callers.ts';
import { lockExistingAgent } from '../locks.ts';

type Ctx = Context<AgentCaller>;
type Operations = typeof keyOperations;

const accountOf = ({ caller }: Ctx) => ({ kind: 'agent', id: caller.agentId }) as const;

/** Creates a further key. Its scope is at most that of the key of this request, which is `owner`. */
export async function createKey(
  ctx: Ctx,
  { body: { name, scope } }: Input<Operations['createKey']>,
): Promise<Output<Operations['createKey']>> {
  const lock = async (tx: Parameters<typeof lockExistingAgent>[0]) => await lockExistingAgent(tx, ctx.caller.agentId);
  return await createAccountKey(ctx, accountOf(ctx), { name, scope, lock });
}

export async function listKeys(ctx: Ctx): Promise<Output<Operations['listKeys']>> {
  const keys = await listAccountKeys(ctx, accountOf(ctx), ctx.caller.keyId);
  return { keys: keys as Output<Operations['listKeys']>['keys'] };
}

export async function revokeKey(
  ctx: Ctx,
  { params }: Input<Operations['revokeKey']>,
): Promise<Output<Operations['revokeKey']>> {
  return await revokeAccountKey(ctx, accountOf(ctx), params.key_id);
}
