import type { Command } from 'commander';
import { act, type Context } from '../context.ts';
import { NotGenuine } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { printable } from '../output/printable.ts';
import { verify } from '../verify/verify.ts';

export function addVerify(program: Command, io: Io): void {
  program
    .command('verify')
    .description('check a delivery manifest: its signature, the SHA-256 of each file, and its transactions')
    .argument('<manifest>', 'file of the manifest')
    .argument('[files...]', 'delivered files')
    .option('--issuer <url>', 'the service that must have signed. Default: the service of --url')
    .option('--jwks <file|url>', "the service's keys. Default: those that this service publishes")
    .option('--node <url>', "JSON-RPC address of a node of the manifest's network")
    .action(act(io, verifyDelivery));
}

type Options = { issuer?: string; jwks?: string; node?: string };

async function verifyDelivery(context: Context, manifest: string, files: string[], options: Options): Promise<void> {
  const service = await context.knownUrl();
  const result = await verify(manifest, files, { ...options, service });
  context.print(result, () =>
    result.checks.map(({ check, ok, message }) => `${markOf(check, ok)} ${printable(message)}\n`).join(''),
  );
  if (!result.ok) throw new NotGenuine('Not genuine: a check failed.');
}

function markOf(check: string, ok: boolean): string {
  if (check === 'not checked') return '–';
  return ok ? '✔' : '✖';
}
