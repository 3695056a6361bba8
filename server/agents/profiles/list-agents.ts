import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { standingOperations } from '../../../contract/agents/standing.ts';
import type { Context } from '../../deps.ts';
import { type ListedAgentRow, listAgentRows } from './agent-list-queries.ts';
import { standingAt } from '../accounts/status.ts';
import type { OperatorCaller } from '../../callers.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof standingOperations.listAgents;
type Listed = Output<Operation>['agents'][number];

/** Lists agents, newest first. */
export async function listAgents(
  { reads, clock }: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const now = clock.now();
  const { rows, end } = await listAgentRows(reads, query, now);
  return { agents: rows.map((row) => shownListedAgent(row, now)), ...end };
}

export function shownListedAgent(row: ListedAgentRow, now: Date): Listed {
  const { status, reason, until } = standingAt(row, now);
  return { ...snakeCased(row), status, status_reason: reason, status_until: until };
}
