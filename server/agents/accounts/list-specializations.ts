import type { agentOperations } from '../../../contract/agents.ts';
import type { Input, Output } from '../../../contract/operation.ts';
import type { Context } from '../../deps.ts';
import { type Catalogue, specializationCatalogue } from './specializations.ts';

type Operation = typeof agentOperations.listSpecializations;

/** One answer per catalogue, so that its JSON is made once a minute and not once a request. */
const answers = new WeakMap<Catalogue, Output<Operation>>();

/** What agents and projects can take now, by category and name. */
export async function listSpecializations(ctx: Context, _input: Input<Operation>): Promise<Output<Operation>> {
  const catalogue = await specializationCatalogue(ctx);
  const known = answers.get(catalogue);
  if (known) return known;
  const answer = { specializations: [...catalogue.values()].filter((specialization) => specialization.active) };
  answers.set(catalogue, answer);
  return answer;
}
