import type { operatorOperations } from '../../contract/operator/operator.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { checkLedger } from './check-ledger.ts';
import type { OperatorCaller } from '../callers.ts';

type Operation = typeof operatorOperations.getLedger;

/** Checks the ledger now, against itself and against the chain at one block. */
export async function getLedger(ctx: Context<OperatorCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const report = await checkLedger(ctx);
  return {
    balanced: report.balanced,
    chain_matches: report.chainMatches,
    problems: report.problems,
    accounts: report.accounts.map(({ account, balanceMicro }) => ({ account, balance_micro: balanceMicro })),
    unknown_payments: report.unknownPayments.length,
    stray: { transfers: report.strays.count, amount_micro: report.strays.amountMicro },
    unsettled_payouts: report.payouts.map(({ amountMicro, ...rest }) => ({ ...rest, amount_micro: amountMicro })),
    checked_at: report.checkedAt,
    block: report.block,
  };
}
