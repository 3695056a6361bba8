import { usdcNumber } from '../../contract/basics/money.ts';
import { payoutNonce, prizeReference, refundReference, shareReference, strayReference } from '../payouts/public.ts';
import type { SignerRefusal, SignRequest } from './protocol.ts';
import type { ClaimedPayout } from './signer-queries.ts';

// The rules of what may be signed, without I/O. Each rule compares the request with the database and with the signer's own
// settings, and nothing with what the caller says about the payout.

/** The signer's own settings. No row of the database changes them. */
export type SignerRules = {
  network: string;
  asset: string;
  /** The treasury, lower case. */
  treasury: string;
  /** The most that one transfer and all transfers of a UTC day move; refunds and returns have a day of their own. */
  perTransferMicro: number;
  perDayMicro: number;
  /** The addresses that withdrawals may go to, lower case. */
  withdrawalAddresses: readonly string[];
  /** PAYOUT_CAP_USDC of the service: above it, an operator must have released the payout. */
  releaseAboveMicro: number;
};

/** An authorization of the service ends an hour after it was asked for. The rest allows for clocks that differ. */
const LONGEST_WINDOW_SECONDS = 3_600 + 300;

const refusal = (code: string, message: string): SignerRefusal => ({ code, message });
const usdc = (micro: number) => `${usdcNumber(micro)} USDC`;

/** Returns what is wrong with a request before any row is read, or null. */
export function requestRefusal(request: SignRequest, rules: SignerRules, now: Date): SignerRefusal | null {
  if (request.network !== rules.network) return refusal('wrong_network', `the signer signs for ${rules.network} only`);
  if (request.asset !== rules.asset) return refusal('wrong_token', 'the signer signs transfers of USDC only');
  if (request.recipient === rules.treasury) return refusal('wrong_recipient', 'the recipient is the treasury itself');
  const window = request.valid_before - now.getTime() / 1000;
  if (window <= 0) return refusal('expired', 'the authorization would have expired before it is signed');
  if (window > LONGEST_WINDOW_SECONDS) return refusal('too_long', 'the authorization would be valid for over an hour');
  if (request.amount_micro > rules.perTransferMicro)
    return refusal('over_cap', `it is over SIGNER_CAP_USDC, ${usdc(rules.perTransferMicro)}`);
  return null;
}

/** Returns why the claimed payout may not be paid as the request says, or null. */
export function payoutRefusal(
  request: SignRequest,
  row: ClaimedPayout | null,
  rules: SignerRules,
  now: Date,
): SignerRefusal | null {
  if (row === null) return refusal('no_payout', 'no claimed payout of this database has this id');
  return claimRefusal(request, row, rules) ?? originRefusal(row, rules, now) ?? consentRefusal(row, rules);
}

/** The request, the payout, and the payment that was claimed for it say the same. */
function claimRefusal(request: SignRequest, row: ClaimedPayout, rules: SignerRules): SignerRefusal | null {
  if (row.isStopped) return refusal('payouts_stopped', 'payouts are stopped: a recovery or the ledger comes first');
  if (row.paymentState === 'settled' || row.state === 'settled')
    return refusal('settled', 'the payout is paid already');
  if (row.state !== 'sending') return refusal('not_claimed', `the payout is ${row.state}, and not being sent`);
  if (request.nonce !== payoutNonce(row.reference) || row.authNonce !== request.nonce)
    return refusal('wrong_nonce', 'the nonce is not the one of this payout');
  if (row.recipient !== request.recipient || row.payTo !== request.recipient)
    return refusal('wrong_recipient', 'the recipient is not the one of this payout');
  if (request.kind !== paymentKind(row))
    return refusal('wrong_kind', 'a payout is asked for as a refund, or the reverse');
  if (row.network !== rules.network || row.asset !== rules.asset || row.payer !== rules.treasury)
    return refusal('wrong_claim', 'the payment of this payout names another network, token, or treasury');
  return amountRefusal(request, row);
}

function amountRefusal(request: SignRequest, row: ClaimedPayout): SignerRefusal | null {
  if (!row.carriedFits) return refusal('wrong_amount', 'it takes along an amount that is not owed to its recipient');
  if (request.amount_micro !== row.amountMicro + row.carriedMicro || row.paymentMicro !== request.amount_micro)
    return refusal('wrong_amount', 'the amount is not the one of this payout');
  return null;
}

/** The payout follows from an award, a payment, a stray, or a listed address. */
function originRefusal(row: ClaimedPayout, rules: SignerRules, now: Date): SignerRefusal | null {
  switch (row.kind) {
    case 'prize':
    case 'share':
      return awardRefusal(row) ?? escrowRefusal(row);
    case 'refund':
      return refundRefusal(row) ?? escrowRefusal(row);
    case 'return':
      return returnRefusal(row);
    case 'withdrawal':
      return withdrawalRefusal(row, rules, now);
  }
}

const notOwed = (message: string) => refusal('not_owed', message);

function awardRefusal(row: ClaimedPayout): SignerRefusal | null {
  const { kind, projectId, submissionId } = row;
  if (!row.hasProject || !row.isAwarded || projectId === null || submissionId === null)
    return notOwed('its project has awarded no prize');
  const [reference, outcome] =
    kind === 'prize' ? [prizeReference(projectId), 'won'] : [shareReference(projectId, submissionId), 'shared'];
  if (row.reference !== reference) return notOwed('its reference is not the one of this award');
  if (row.submissionOutcome !== outcome || row.isOfAgent !== true) return notOwed('its entry has not won this prize');
  if (kind === 'prize' && row.winnerSubmissionId !== submissionId) return notOwed('its entry is not the winner');
  return row.earningsMicro === row.amountMicro ? null : notOwed('its amount is not what its entry earned');
}

function refundRefusal(row: ClaimedPayout): SignerRefusal | null {
  if (row.paidId === null || row.paidState !== 'settled') return notOwed('it refunds a payment that was not settled');
  if (row.reference !== refundReference(row.paidId)) return notOwed('its reference is not the one of its payment');
  if (row.paidBy !== row.recipient) return notOwed('a refund goes to the wallet that paid, and to no other');
  return row.amountMicro <= (row.paidMicro ?? 0) ? null : notOwed('it refunds more than was paid');
}

function returnRefusal(row: ClaimedPayout): SignerRefusal | null {
  if (row.strayId === null || row.isReturned !== true) return notOwed('no stray transfer goes back by it');
  if (row.reference !== strayReference(row.strayId)) return notOwed('its reference is not the one of its transfer');
  if (row.straySender !== row.recipient) return notOwed('a stray goes back to its sender, and to no other');
  return row.amountMicro === row.strayMicro ? null : notOwed('it returns another amount than was received');
}

function withdrawalRefusal(row: ClaimedPayout, rules: SignerRules, now: Date): SignerRefusal | null {
  if (!row.reference.startsWith('withdrawal:')) return notOwed('its reference is not the one of a withdrawal');
  if (!rules.withdrawalAddresses.includes(row.recipient ?? ''))
    return refusal('address_not_listed', 'SIGNER_WITHDRAWAL_ADDRESSES does not name the recipient');
  if (row.addressUsableAt === null || row.addressUsableAt > now)
    return refusal('address_not_listed', 'the recipient is not listed for withdrawals, or its wait is not over');
  return null;
}

/** The escrow of a project never pays more than the prize that it received. */
function escrowRefusal(row: ClaimedPayout): SignerRefusal | null {
  if (row.prizeMicro === null || row.fromEscrowMicro <= row.prizeMicro) return null;
  return notOwed('its project would pay more than its prize');
}

/** An operator has released what is over the cap of the service. */
function consentRefusal(row: ClaimedPayout, rules: SignerRules): SignerRefusal | null {
  const isReleased = row.released && row.releaseRecorded;
  if (row.amountMicro > rules.releaseAboveMicro && !isReleased)
    return refusal('not_released', 'it is over PAYOUT_CAP_USDC, and no operator has released it');
  if (row.isContradicted && !isReleased)
    return refusal('contradicted', 'the chain shows another end of its project, and no operator has released it');
  return null;
}

/** Money that goes back has a cap of its own. */
function paymentKind({ kind }: Pick<ClaimedPayout, 'kind'>): 'payout' | 'refund' {
  return kind === 'refund' || kind === 'return' ? 'refund' : 'payout';
}
