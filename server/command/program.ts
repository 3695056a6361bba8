import { Command, CommanderError } from 'commander';
import { runToEnd } from '../main.ts';
import { VERSION } from '../version.ts';
import { addAudit } from './audit.ts';
import { addDev } from './dev.ts';
import { addKeys } from './keys.ts';
import { addMigrate } from './migrate.ts';
import { addOperators } from './operators.ts';
import { addRecover } from './recover.ts';
import { addSigner } from './signer.ts';
import { addStart } from './start.ts';

/** Returns `concours-server` with all its commands. */
export function createProgram(): Command {
  const program = new Command('concours-server')
    .description('Runs and looks after one Concours service. Every command reads the settings of docs/settings.md.')
    .version(VERSION)
    .exitOverride();
  for (const add of [addStart, addDev, addMigrate, addRecover, addSigner, addKeys, addOperators, addAudit])
    add(program);
  return program;
}

/** Runs one command of `concours-server`. A command that fails says why, and sets the exit code 1. */
export async function runCommand(args: string[]): Promise<void> {
  const program = createProgram();
  await runToEnd(async () => {
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // The parser has printed its own errors, and the help.
      process.exitCode = error.exitCode;
    }
  });
}
