import type { Logger } from 'pino';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { TransferSigner } from '../x402/public.ts';
import type { SignerRefusal, SignRequest } from './protocol.ts';
import { payoutRefusal, requestRefusal, type SignerRules } from './rules.ts';
import type { SignedAmounts } from './signed-amounts.ts';
import { findClaimed } from './signer-queries.ts';

export type SignerDeps = {
  /** On the signer's own role, which only reads. */
  db: Db;
  rules: SignerRules;
  amounts: SignedAmounts;
  key: TransferSigner;
  clock: Clock;
  log: Logger;
};

/** Signs the transfer of a claimed payout, or says why not. Every answer has a line in the log. */
export async function signTransfer(
  deps: SignerDeps,
  request: SignRequest,
): Promise<{ signature: string } | { refusal: SignerRefusal }> {
  const { payout_id: payoutId, kind, recipient, amount_micro: amountMicro } = request;
  const refused = await refusalOf(deps, request);
  if (refused) {
    deps.log.warn({ alert: 'signer_refused', payoutId, recipient, amountMicro, ...refused }, 'refused a transfer');
    return { refusal: refused };
  }
  const { network, asset, nonce, valid_before: validBefore } = request;
  const signature = await deps.key.sign({ network, asset, recipient, amountMicro, nonce, validBefore });
  const todayMicro = deps.amounts.signedMicro(kind, deps.clock.now());
  deps.log.info({ payoutId, kind, recipient, amountMicro, todayMicro }, 'signed a transfer');
  return { signature };
}

async function refusalOf(deps: SignerDeps, request: SignRequest): Promise<SignerRefusal | null> {
  const { rules, clock } = deps;
  const malformed = requestRefusal(request, rules, clock.now());
  if (malformed) return malformed;
  const row = await findClaimed(deps.db, request.payout_id);
  // No `await` from here on: two requests at once cannot both take what is left of the day.
  const now = clock.now();
  return payoutRefusal(request, row, rules, now) ?? deps.amounts.reserve(request, rules.perDayMicro, now);
}
