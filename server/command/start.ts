import { type Command, Option } from 'commander';
import { ROLES } from '../config.ts';
import { runService } from '../main.ts';

export function addStart(program: Command): void {
  program
    .command('start')
    .description('run the service in production, until SIGINT or SIGTERM')
    .addOption(new Option('--role <role>', 'the work of this process').choices(ROLES).default('all'))
    .action(async ({ role }: { role: string }) => await runService([`--role=${role}`], 'production'));
}
