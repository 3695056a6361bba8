import { Secret, TOTP } from 'otpauth';
import { DomainError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import { type CodesRow, recordCode, recordWrongCode } from './queries.ts';
import type { Tx } from '../ports/database.ts';

/** Authenticator apps support these values without exception (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const STEP_MS = FORM.period * 1000;
/** A clock may be this many steps ahead or behind. */
const WINDOW = 1;
const SECRET_BYTES = 20;
/** After this many wrong codes in a row, none is accepted for a while: 5 guesses in 5 minutes find a code in 20 years. */
const MAX_FAILURES = 5;
const LOCK_MS = 300_000;

type SealDeps = Pick<Deps, 'answerSeals'>;

/** Encrypts the secret of an operator's codes for its row. */
export function sealSecret({ answerSeals }: SealDeps, operatorId: string, secret: string): Buffer {
  return answerSeals.of('codes of an operator', operatorId).seal(secret);
}

function openSecret({ answerSeals }: SealDeps, operatorId: string, sealed: Buffer): string {
  return answerSeals.of('codes of an operator', operatorId).open(sealed);
}

/** Returns a new secret in base32. */
export function newSecret({ randomBytes }: Pick<Deps, 'randomBytes'>): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** Returns the text that an authenticator app reads from a QR code. */
export function codesUri({ config }: Pick<Deps, 'config'>, { name, secret }: { name: string; secret: string }): string {
  return new TOTP({ ...FORM, issuer: config.serviceName, label: name, secret }).toString();
}

/** Returns the number of the 30 seconds that a code belongs to; null for a wrong code. */
function stepOf(secret: string, code: string, now: Date): number | null {
  // The library compares bytes, and fails on other digits than ASCII's.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = new TOTP({ ...FORM, secret }).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / STEP_MS) + delta;
}

export type CodeOutcome = 'right' | 'wrong' | { lockedSeconds: number };

/** Checks a code under the lock of its row, and uses it up. The caller commits the outcome, also of a wrong code. */
export async function useCode(
  deps: SealDeps & Pick<Deps, 'clock'>,
  tx: Tx,
  { operatorId, row, secret, code }: { operatorId: string; row: CodesRow; secret: Buffer; code: string },
): Promise<CodeOutcome> {
  const now = deps.clock.now();
  const lockedMs = row.failedAt === null ? 0 : row.failedAt.getTime() + LOCK_MS - now.getTime();
  if (row.failures >= MAX_FAILURES && lockedMs > 0) return { lockedSeconds: Math.ceil(lockedMs / 1000) };
  const step = stepOf(openSecret(deps, operatorId, secret), code, now);
  if (step !== null && step > row.step) {
    await recordCode(tx, operatorId, step);
    return 'right';
  }
  await recordWrongCode(tx, operatorId, lockedMs > 0 ? row.failures + 1 : 1, now);
  return 'wrong';
}

/** @throws DomainError for any outcome but `right` */
export function requireAcceptedCode(outcome: CodeOutcome): void {
  if (outcome === 'right') return;
  if (outcome === 'wrong')
    throw new DomainError('OPERATOR_CODE_INVALID', 'This code is wrong, or was used before. Wait for the next one.');
  throw new DomainError('RATE_LIMIT_EXCEEDED', 'Too many wrong codes. Wait before you try again.', {
    retryAfterSeconds: outcome.lockedSeconds,
  });
}
