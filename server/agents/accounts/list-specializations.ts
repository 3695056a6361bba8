import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { type Catalog, specializationCatalog } from './specializations.ts';

type Operation = typeof agentOperations.listSpecializations;

/** One response per catalog. Its JSON is serialized once a minute instead of once per request. */
const answers = new WeakMap<Catalog, Output<Operation>>();

/** Lists the active specializations by category and name. */
export async function listSpecializations(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const catalog = await specializationCatalog(ctx);
  const known = answers.get(catalog);
  if (known) return known;
  const answer = { specializations: [...catalog.values()].filter((specialization) => specialization.active) };
  answers.set(catalog, answer);
  return answer;
}
