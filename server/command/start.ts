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

export function addDev(program: Command): void {
  program
    .command('dev')
    .description('run a development start, with embedded parts and test money, until SIGINT or SIGTERM')
    .action(async () => await runService([], 'development'));
}
