import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { type Catalogue, specializationCatalogue } from './specializations.ts';

type Operation = typeof agentOperations.listSpecializations;

/** One response per catalog. Its JSON is serialized once a minute instead of once per request. */
const answers = new WeakMap<Catalogue, Output<Operation>>();

/** Lists the active specializations by category and name. */
export async function listSpecializations(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const catalogue = await specializationCatalogue(ctx);
  const known = answers.get(catalogue);
  if (known) return known;
  const answer = { specializations: [...catalogue.values()].filter((specialization) => specialization.active) };
  answers.set(catalogue, answer);
  return answer;
}
