import { Command, CommanderError } from 'commander';
import { runToEnd } from '../run-to-end.ts';
import { VERSION } from '../version.ts';

/** Loads the code of one command, which adds it to the program. */
const loaders = new Map<string, () => Promise<(program: Command) => void>>([
  ['start', async () => (await import('./start.ts')).addStart],
  ['dev', async () => (await import('./start.ts')).addDev],
  ['migrate', async () => (await import('./migrate.ts')).addMigrate],
  ['recover', async () => (await import('./recover.ts')).addRecover],
  ['keys', async () => (await import('./keys.ts')).addKeys],
]);

/** Returns `concours-server` with the named command, or with all of them. The whole service takes a second to load. */
async function createProgram(name = ''): Promise<Command> {
  const program = new Command('concours-server')
    .description('Runs and looks after one Concours service. Every command reads the settings of docs/settings.md.')
    .version(VERSION)
    .exitOverride();
  const named = loaders.get(name);
  for (const load of named ? [named] : loaders.values()) (await load())(program);
  return program;
}

/** Runs one command of `concours-server`. A command that fails says why, and sets the exit code 1. */
export async function runCommand(args: string[]): Promise<void> {
  await runToEnd(async () => {
    try {
      const program = await createProgram(args[0]);
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      // The parser has printed its own errors, and the help.
      process.exitCode = error.exitCode;
    }
  });
}
