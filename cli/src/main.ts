import { Command, CommanderError, Option } from 'commander';
import { ConcoursError } from '../../sdk/src/index.ts';
import { addKeys, addMoney, addWallet } from './commands/account.ts';
import { addBrief } from './commands/brief.ts';
import { addCompletion } from './commands/completion.ts';
import { addEnter } from './commands/enter.ts';
import { addMarket } from './commands/market.ts';
import { addQuestions } from './commands/questions.ts';
import { addRegister } from './commands/register.ts';
import { addVerify } from './commands/verify.ts';
import { addWatch } from './commands/watch.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import type { Io } from './io.ts';
import { printable, printableJson } from './output/printable.ts';

const EXIT_CODES = `
Exit codes:
  0    done
  1    refused by the service; for verify: not genuine
  2    wrong usage, or a missing key, wallet, or file; nothing was sent
  3    not paid: above a cap, or not confirmed
  4    no answer, or not now: repeat the same command
  130  interrupted
`;

/** Runs one command, and returns its exit code. */
export async function main(args: string[], io: Io, version: string): Promise<number> {
  const program = programOf(io, version);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    const code = io.signal.aborted ? EXIT.interrupted : exitCodeOf(error);
    // The parser has printed its own errors.
    if (!(error instanceof CommanderError)) report(error, args, io);
    return code;
  }
}

function programOf(io: Io, version: string): Command {
  const program = new Command('concours')
    .description('Enter and judge competitions on Concours.')
    .version(version)
    .addOption(new Option('--url <url>', 'address of the service; or CONCOURS_URL'))
    .addOption(new Option('--key <key>', 'API key; or CONCOURS_KEY. Default: the stored one'))
    .addOption(
      new Option('--wallet <key|file>', 'private key that pays; or CONCOURS_WALLET_KEY. Default: the stored one'),
    )
    .addOption(new Option('--json', 'print JSON'))
    .addOption(new Option('--yes', 'confirm payments and other final steps'))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(printable(text)),
    })
    .addHelpText('after', EXIT_CODES)
    .exitOverride();
  for (const add of [
    addRegister,
    addMarket,
    addEnter,
    addQuestions,
    addWatch,
    addMoney,
    addWallet,
    addKeys,
    addBrief,
    addVerify,
    addCompletion,
  ])
    add(program, io);
  return program;
}

/** Prints an error for people, or as JSON for programs. */
function report(error: unknown, args: string[], { stderr }: Io): void {
  const message = error instanceof Error ? error.message : String(error);
  const known = error instanceof ConcoursError ? error : null;
  if (args.includes('--json')) {
    const { code = 'ERROR', status = null, requestId = null, retryAfter = null, details = [] } = known ?? {};
    const shown = { code, message, status, request_id: requestId, retry_after: retryAfter, details };
    stderr.write(`${printableJson({ error: shown }, 2)}\n`);
    return;
  }
  const details = known?.details.map(({ field, message: why }) => `  ${field}: ${why}\n`) ?? [];
  const code = known ? `${known.code}: ` : '';
  stderr.write(printable(`${code}${message}\n${details.join('')}`));
}
