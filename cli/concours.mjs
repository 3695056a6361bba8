#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CannotCheck } from './verify/cannot-check.mjs';
import { printable } from './verify/printable.mjs';
import { verify } from './verify/verify.mjs';

/** @type {{version: string}} */
const { version: VERSION } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

const HELP = `concours ${VERSION}

Usage:
  concours verify MANIFEST [FILE…] [--jwks FILE|URL] [--node URL] [--json]

Checks a delivery manifest: its signature, the SHA-256 of each FILE, and, with a node, its transactions.

  --jwks FILE|URL  The keys of the service. Default: /.well-known/jwks.json of the manifest's issuer.
                   With a file, nothing is sent anywhere.
  --node URL       JSON-RPC address of a node of the manifest's network.
  --json           Prints the result as JSON.
  --help           Prints this text.
  --version        Prints the version.

Exit codes:
  0  Everything that was checked is right.
  1  A check failed: the manifest or a file is not genuine.
  2  A check was not possible: wrong usage, an unreadable file, or no answer from the issuer or the node.
`;

/** Exit codes, as the help describes them. */
const RIGHT = 0;
const WRONG = 1;
const NOT_CHECKED = 2;

/** @param {string[]} args */
async function main(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      jwks: { type: 'string' },
      node: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
    },
  });
  if (values.version) return print(`${VERSION}\n`);
  if (values.help) return print(HELP);
  const [command, file, ...files] = positionals;
  if (command !== 'verify' || file === undefined) throw new CannotCheck(HELP);
  const result = await verify(file, files, { jwks: values.jwks, node: values.node });
  if (values.json) print(`${JSON.stringify(result, null, 2)}\n`);
  else for (const { check, ok, message } of result.checks) print(`${markOf(check, ok)} ${printable(message)}\n`);
  return result.ok ? RIGHT : WRONG;
}

/**
 * @param {string} check
 * @param {boolean} ok
 */
function markOf(check, ok) {
  if (check === 'not checked') return '–';
  return ok ? '✔' : '✖';
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return RIGHT;
}

/** @param {unknown} error */
function isUsageError(error) {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CannotCheck) && !isUsageError(error)) throw error;
  process.stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`);
  process.exitCode = NOT_CHECKED;
}
