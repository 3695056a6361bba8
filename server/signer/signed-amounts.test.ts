import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { CannotRun } from '../cannot-run.ts';
import type { SignRequest } from './protocol.ts';
import { openSignedAmounts } from './signed-amounts.ts';

const folder = await mkdtemp(join(tmpdir(), 'concours-signed-'));
after(() => rm(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `signed-${(files += 1)}`);

const DAY = new Date('2026-11-23T12:00:00Z');
const TOMORROW = new Date('2026-11-24T00:00:00Z');
const CAP = 1_000;

function transfer(digit: number, micro: number, change: Partial<SignRequest> = {}): SignRequest {
  return {
    kind: 'payout',
    payout_id: '00000000-0000-4000-8000-000000000001',
    network: 'eip155:84532',
    asset: `0x${'a'.repeat(40)}`,
    recipient: `0x${'c'.repeat(40)}`,
    amount_micro: micro,
    nonce: `0x${String(digit).repeat(64)}`,
    valid_before: +DAY / 1000 + 3600,
    ...change,
  };
}

it('counts a day over restarts, and refunds apart from payouts', () => {
  const file = newFile();
  const first = openSignedAmounts(file);
  assert.equal(first.reserve(transfer(1, 600), CAP, DAY), null);
  first.close();
  const second = openSignedAmounts(file);
  assert.equal(second.reserve(transfer(2, 401), CAP, DAY)?.code, 'over_daily_cap');
  assert.equal(second.reserve(transfer(2, 400), CAP, DAY), null);
  assert.equal(second.reserve(transfer(3, 1), CAP, DAY)?.code, 'over_daily_cap');
  assert.equal(second.reserve(transfer(4, CAP, { kind: 'refund' }), CAP, DAY), null);
  assert.equal(second.signedMicro('payout', DAY), CAP);
  assert.equal(second.reserve(transfer(3, CAP), CAP, TOMORROW), null, 'a new day');
  second.close();
});

it('counts one nonce once, with its largest amount, on the newest day', () => {
  const amounts = openSignedAmounts(newFile());
  assert.equal(amounts.reserve(transfer(1, 600), CAP, DAY), null);
  assert.equal(amounts.reserve(transfer(1, 700), CAP, DAY), null);
  assert.equal(amounts.reserve(transfer(1, 600), CAP, DAY), null);
  assert.equal(amounts.signedMicro('payout', DAY), 700);
  assert.equal(amounts.reserve(transfer(1, 600, { valid_before: +TOMORROW / 1000 + 60 }), CAP, TOMORROW), null);
  assert.equal(amounts.signedMicro('payout', TOMORROW), 600);
  amounts.close();
});

it('refuses another recipient while an authorization of the nonce is valid', () => {
  const amounts = openSignedAmounts(newFile());
  const other = { recipient: `0x${'d'.repeat(40)}` };
  assert.equal(amounts.reserve(transfer(1, 1), CAP, DAY), null);
  assert.equal(amounts.reserve(transfer(1, 1, other), CAP, DAY)?.code, 'recipient_changed');
  const later = new Date(+DAY + 3_601_000);
  assert.equal(amounts.reserve(transfer(1, 1, { ...other, valid_before: +later / 1000 + 60 }), CAP, later), null);
  amounts.close();
});

it('belongs to one signer and one user, and is a file of a signer', async () => {
  const file = newFile();
  const amounts = openSignedAmounts(file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.throws(() => openSignedAmounts(file), { message: 'SIGNER_STATE: another signer uses the file' });
  amounts.close();
  chmodSync(file, 0o640);
  assert.throws(() => openSignedAmounts(file), /SIGNER_STATE: others than its owner may use the file/);
  const foreign = newFile();
  await writeFile(foreign, 'this is a text, and no database at all'.repeat(40), { mode: 0o600 });
  assert.throws(() => openSignedAmounts(foreign), CannotRun);
  assert.throws(() => openSignedAmounts(join(folder, 'missing', 'file')), /SIGNER_STATE: the file cannot be used/);
});
