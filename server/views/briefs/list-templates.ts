import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { briefOperations } from '../../../contract/projects/briefs.ts';
import type { Context } from '../../deps.ts';
import type { PublicCaller } from '../../ports/callers.ts';
import { TEMPLATES } from '../../projects/briefs/public.ts';
import { listExamples } from './brief-help-queries.ts';

type Operation = typeof briefOperations.listTemplates;

const EXAMPLES = 3;

/** Returns the templates of briefs, each with its newest completed examples. */
export async function listTemplates(ctx: Context<PublicCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const specializations = TEMPLATES.map(({ brief }) => brief.specializations[0] ?? '');
  const examples = await listExamples(ctx.views, { specializations, now: ctx.clock.now(), limit: EXAMPLES });
  const bySpecialization = Map.groupBy(examples, ({ specialization }) => specialization);
  return {
    templates: TEMPLATES.map((template) => ({
      ...template,
      examples: (bySpecialization.get(template.brief.specializations[0] ?? '') ?? []).map(({ id, title }) => ({
        id,
        title,
      })),
    })),
  };
}
