import type { Command } from 'commander';
import { runService } from '../main.ts';

export function addDev(program: Command): void {
  program
    .command('dev')
    .description('run a development start, with embedded parts and test money, until SIGINT or SIGTERM')
    .action(async () => await runService([], 'development'));
}
