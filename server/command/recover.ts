import { type Command, InvalidArgumentError } from 'commander';
import { messageOf, recover, type RecoveryReport } from '../reconciliation/public.ts';
import { withService } from './with-service.ts';

export function addRecover(program: Command): void {
  program
    .command('recover')
    .description('book the transfers that a restored database lost; moves no money')
    .option('--dry-run', 'only tell what a recovery would do', false)
    .option('--until-block <block>', 'the last block to recover (default: the newest final one)', blockOf)
    .action(
      async ({ dryRun, untilBlock }: { dryRun: boolean; untilBlock?: number }) =>
        await withService(
          async (deps) => {
            const report = await recover(deps, { dryRun, untilBlock });
            process.stdout.write(`${textOf(report)}\n`);
            if (!dryRun && report.recoveredUntil === null) process.exitCode = 1;
          },
          { onlyReads: dryRun },
        ),
    );
}

function blockOf(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a block number.');
  return Number(value);
}

function textOf(report: RecoveryReport): string {
  const lines = report.findings.map(({ transfer, outcome, subject, note }) => {
    const { txHash, logIndex, from, to, amountMicro } = transfer;
    const why = [subject, note].filter((part) => part !== null).join('; ');
    return `${outcome}\t${txHash}:${logIndex}\t${from} -> ${to}\t${amountMicro}\t${why}`;
  });
  return [`Blocks ${report.fromBlock} to ${report.untilBlock}`, ...lines, messageOf(report)].join('\n');
}
