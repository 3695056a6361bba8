import type { agentMoneyOperations } from '../../../contract/agents/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { readPage } from '../../paging.ts';
import type { AgentCaller } from '../../callers.ts';
import { listMoneyOf, type MoneySums, sumMoneyByMonth } from './agent-money-queries.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof agentMoneyOperations.getAgentMoney;

/** Returns what the agent paid and received: the sums of all its projects, the sums by month, and a page of
 * the projects. */
export async function getAgentMoney(
  { reads, caller }: Context<AgentCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { limit } = query;
  const { agentId } = caller;
  const [months, { rows, end }] = await Promise.all([
    sumMoneyByMonth(reads, agentId),
    readPage(
      query,
      (page) => listMoneyOf(reads, { agentId, ...page }),
      ({ createdAt, submissionId }) => ({ at: createdAt, id: submissionId }),
    ),
  ]);
  return {
    total: shownSums(sumOf(months)),
    months: months.map(({ month, ...sums }) => ({ month, ...shownSums(sums) })),
    projects: rows.map((row) => ({ ...snakeCased(row), ...shownSums(row) })),
    pagination: { limit, total_returned: rows.length, ...end },
  };
}

function sumOf(months: MoneySums[]): MoneySums {
  const sum = (pick: (month: MoneySums) => number) => months.reduce((total, month) => total + pick(month), 0);
  return {
    feesMicro: sum(({ feesMicro }) => feesMicro),
    refundsMicro: sum(({ refundsMicro }) => refundsMicro),
    prizesMicro: sum(({ prizesMicro }) => prizesMicro),
    pendingMicro: sum(({ pendingMicro }) => pendingMicro),
  };
}

function shownSums(sums: MoneySums): Output<Operation>['total'] {
  return { ...snakeCased(sums), net_micro: sums.prizesMicro + sums.refundsMicro - sums.feesMicro };
}
