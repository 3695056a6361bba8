import { type Command, InvalidArgumentError } from 'commander';
import { type NotedHead, verifyChain } from '../audit/public.ts';
import { CannotRun } from '../cannot-run.ts';
import { withDatabase } from './with-database.ts';

export function addAudit(program: Command): void {
  program
    .command('audit')
    .description('check the audit trail')
    .command('verify')
    .description('find removed, changed, and inserted records by the hash chain')
    .option('--head <place:hash>', 'a head that an earlier run printed: proves that nothing before it changed', headOf)
    .action(async ({ head }: { head?: NotedHead }) => {
      await withDatabase(async ({ db }) => {
        const report = await verifyChain(db, head);
        const end = `${report.head.seq}:${report.head.hash}`;
        if (report.problems.length > 0)
          throw new CannotRun(
            `The audit trail does not fit its chain:\n${report.problems.map((each) => `  ${each}`).join('\n')}`,
          );
        console.log(`${report.records} records fit the chain. Note its head outside of the database:\n${end}`);
      });
    });
}

function headOf(text: string): NotedHead {
  const [, seq = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === '') throw new InvalidArgumentError('a place, a colon, and 64 hex digits');
  return { seq: Number(seq), hash };
}
