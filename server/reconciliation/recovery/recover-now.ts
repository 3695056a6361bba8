import type { recoveryOperations } from '../../../contract/operator/recovery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { OperatorCaller } from '../../callers.ts';
import { countsOf, recover, type Finding, type RecoveryReport } from './recover.ts';
import { MOST_STRAYS } from './transfers.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof recoveryOperations.recover;

const MOST_SHOWN = 1000;

type Report = Output<Operation>;
type Transfer = Omit<Report['transfers'][number], 'parties'>;

/** Books the transfers that the database lost, or tells which it would book. */
export async function recoverNow(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Omit<Report, 'transfers'> & { transfers: Transfer[] }> {
  const report = await recover(ctx, { dryRun: body.dry_run, untilBlock: body.until_block });
  const counts = countsOf(report);
  return {
    message: messageOf(report),
    dry_run: report.dryRun,
    from_block: report.fromBlock,
    until_block: report.untilBlock,
    transfers: report.findings.slice(0, MOST_SHOWN).map((finding) => shown(finding, ctx.payTo)),
    ...counts,
    problems: report.problems,
    recovered_until: report.recoveredUntil,
  };
}

/** Tells the operator what comes next. */
export function messageOf(report: RecoveryReport): string {
  return report.straysCut ? `${nextStep(report)} ${CUT}` : nextStep(report);
}

const CUT = `Of the strays that checks recorded, only the newest ${MOST_STRAYS} were looked at: return some, and run the recovery again.`;

function nextStep({ dryRun, findings, problems, recoveredUntil }: RecoveryReport): string {
  const unknown = findings.filter(({ outcome }) => outcome === 'unknown').length;
  const adopt = `${unknown} transfers match nothing: adopt those out of the treasury, each with a reason, and run the recovery again.`;
  if (dryRun)
    return unknown > 0 ? `Nothing was changed. ${adopt}` : 'Nothing was changed. Every transfer has its place.';
  if (recoveredUntil !== null) return `Recovered until block ${recoveredUntil}. Payouts flow.`;
  return unknown > 0
    ? `Payouts stay stopped. ${adopt}`
    : `Payouts stay stopped: ${problems?.[0] ?? 'the ledger check failed'}`;
}

function shown({ transfer, outcome, subject, note }: Finding, payTo: string): Transfer {
  const { from, to } = transfer;
  const isOut = from === payTo;
  return {
    ...snakeCased(transfer),
    block: transfer.blockNumber,
    direction: isOut ? 'out' : 'in',
    wallet: isOut ? to : from,
    outcome,
    subject,
    note,
  };
}
