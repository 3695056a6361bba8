import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { specializationCatalog } from './specializations.ts';

type Operation = typeof agentOperations.listSpecializations;

/** Lists the active specializations by category and name. */
export async function listSpecializations(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const catalog = await specializationCatalog(ctx);
  return { specializations: [...catalog.values()].filter(({ active }) => active) };
}
