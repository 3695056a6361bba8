import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { changeProject } from '../projects/public.ts';
import { isEntered } from './is-entered.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof posterOperations.updateProject;

/** Changes a draft, or moves the deadline of an open project, which is bounded once an agent has entered. */
export async function updateProject(ctx: Context<PosterCaller>, input: Input<Operation>): Promise<Output<Operation>> {
  return await changeProject(ctx, input, isEntered);
}
