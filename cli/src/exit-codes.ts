import { CommanderError } from 'commander';
import { ConcoursError } from '../../sdk/src/index.ts';
import { CannotCheck } from './verify/get-json.ts';

/** How the command ended. The README describes each code. */
export const EXIT = { done: 0, refused: 1, usage: 2, notPaid: 3, noAnswer: 4, interrupted: 130 } as const;

/** The command is wrong, or lacks a setting or a file. Nothing was sent. */
export class UsageError extends Error {}
/** The user, or a cap of the user, did not allow the payment. */
export class NotPaid extends Error {}

/** A check of `verify` failed. */
export class NotGenuine extends Error {}

/** The codes of the SDK for a wrong call, and for a price that is too high. */
const USAGE_CODES = new Set(['WALLET_REQUIRED', 'FILE_INVALID', 'VALIDATION_ERROR']);
const NOT_PAID_CODES = new Set(['FEE_TOO_HIGH', 'PAYMENT_MISMATCH']);
const TEMPORARY_CODES = new Set(['NO_ANSWER', 'BAD_ANSWER', 'PAYMENT_PENDING', 'CONFIRMATION_PENDING']);

export function exitCodeOf(error: unknown): number {
  // The parser ends with a CommanderError after it has printed the help, too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof UsageError || error instanceof CannotCheck) return EXIT.usage;
  if (error instanceof NotPaid) return EXIT.notPaid;
  if (error instanceof ConcoursError) return exitCodeOfService(error);
  if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted;
  return EXIT.refused;
}

function exitCodeOfService({ code, status }: ConcoursError): number {
  if (NOT_PAID_CODES.has(code)) return EXIT.notPaid;
  if (status === null && USAGE_CODES.has(code)) return EXIT.usage;
  if (TEMPORARY_CODES.has(code)) return EXIT.noAnswer;
  return status !== null && (status >= 500 || status === 408 || status === 429) ? EXIT.noAnswer : EXIT.refused;
}
