import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { updateProfile } from '../accounts/update-profile.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../callers.ts';
import { getMe } from './get-me.ts';

type Operation = typeof agentOperations.updateMe;

/** Changes the caller's profile and returns it as `GET /agents/me` does. */
export async function updateMe(ctx: Context<AgentCaller>, { body }: Input<Operation>): Promise<Output<Operation>> {
  await updateProfile(ctx, body);
  return await getMe(ctx, {});
}
