import { closeSync, openSync, fstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CannotRun } from '../cannot-run.ts';
import type { SignerRefusal, SignRequest } from './protocol.ts';

/** The signed amounts, in a file of the signer's own: neither a restart nor a writer of the database resets them. */
export type SignedAmounts = {
  /** Reserves a transfer before it is signed, on the disk when this returns. Returns why not, or null. */
  reserve(request: SignRequest, perDayMicro: number, now: Date): SignerRefusal | null;
  /** Microdollars of this UTC day, for the log. */
  signedMicro(kind: SignRequest['kind'], now: Date): number;
  close(): void;
};

const SCHEMA = `
  create table if not exists signed (
    nonce text primary key,
    kind text not null,
    recipient text not null,
    amount_micro integer not null,
    day text not null,
    valid_before integer not null
  ) strict, without rowid;
  create index if not exists signed_day on signed (day, kind);`;

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

/**
 * Opens the file and keeps it to this process.
 *
 * @throws CannotRun if others may read or write it, or another signer uses it
 */
export function openSignedAmounts(path: string): SignedAmounts {
  try {
    requireOwn(path);
    const file = new DatabaseSync(path);
    // Exclusive: two signers with one key would each count only their own signatures. Full: a crash forgets nothing.
    file.exec('pragma locking_mode = exclusive; pragma synchronous = full; begin immediate');
    file.exec(`${SCHEMA}; commit`);
    return amountsIn(file);
  } catch (error) {
    if (error instanceof CannotRun) throw error;
    const isLocked = error instanceof Error && /locked/.test(error.message);
    const reason = isLocked ? 'another signer uses the file' : `the file cannot be used (${String(error)})`;
    throw new CannotRun(`SIGNER_STATE: ${reason}`, { cause: error });
  }
}

/** Creates the file for its owner only, or checks that it is so. */
function requireOwn(path: string): void {
  const opened = openSync(path, 'a', 0o600);
  const { mode } = fstatSync(opened);
  closeSync(opened);
  if ((mode & 0o077) !== 0)
    throw new CannotRun(`SIGNER_STATE: others than its owner may use the file. Run: chmod 600 ${path}`);
}

function amountsIn(file: DatabaseSync): SignedAmounts {
  const find = file.prepare('select recipient, amount_micro, valid_before, day from signed where nonce = ?');
  const sum = file.prepare(
    'select coalesce(sum(amount_micro), 0) as micro from signed where day = ? and kind = ? and nonce <> ?',
  );
  const forget = file.prepare('delete from signed where day < ? and valid_before < ?');
  const write = file.prepare('insert or replace into signed values (?, ?, ?, ?, ?, ?)');
  const signedOf = (kind: string, now: Date, except: string) => Number(sum.get(dayOf(now), kind, except)?.['micro']);

  return {
    reserve({ kind, nonce, recipient, amount_micro: amountMicro, valid_before: end }, perDayMicro, now) {
      const seconds = Math.floor(now.getTime() / 1000);
      const before = find.get(nonce);
      const isAlive = before !== undefined && Number(before['valid_before']) >= seconds;
      if (isAlive && before['recipient'] !== recipient)
        return {
          code: 'recipient_changed',
          message: 'an authorization of this payout for another wallet is still valid',
        };
      // The token executes one authorization of a nonce, so a nonce counts once: with its largest amount.
      const countsMicro = Math.max(amountMicro, isAlive ? Number(before['amount_micro']) : 0);
      if (signedOf(kind, now, nonce) + countsMicro > perDayMicro)
        return { code: 'over_daily_cap', message: 'SIGNER_DAILY_CAP_USDC is used up; it goes on at 00:00 UTC' };
      forget.run(dayOf(now), seconds);
      write.run(
        nonce,
        kind,
        recipient,
        countsMicro,
        dayOf(now),
        Math.max(end, isAlive ? Number(before['valid_before']) : 0),
      );
      return null;
    },
    signedMicro: (kind, now) => signedOf(kind, now, ''),
    close: () => file.close(),
  };
}
