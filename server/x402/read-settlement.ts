import type { PaidTransfer } from '../chain/types.ts';
import type { Settlement } from './types.ts';

/**
 * The proof in the answer to a settle call.
 * - `transaction`: it names a transaction. The receipt decides, whatever else the answer says.
 * - `refused`: the facilitator certainly broadcast nothing.
 * - `unknown`: anything else.
 */
export type SettlementReport =
  | {
      kind: 'transaction';
      txHash: string;
      success: boolean;
      reason: string;
      proof: PaidTransfer | null;
      unpaid: boolean;
    }
  | { kind: 'refused'; reason: string }
  | { kind: 'unknown'; reason: string };

/**
 * Refusals that facilitators give before they broadcast. Left out on purpose:
 * - `nonce_already_used`: a broadcast worked, maybe ours.
 * - `transaction_failed` without a hash: the broadcast may have gone out before the error.
 * - `valid_after`: the payment becomes valid by itself, so it is settled again.
 * - `settlement_pending`, and every text that is not one of these codes.
 */
const REFUSALS = new Set([
  'insufficient_funds',
  'invalid_exact_evm_insufficient_balance',
  'invalid_exact_evm_signature',
  'invalid_exact_evm_payload_signature',
  'invalid_exact_evm_recipient_mismatch',
  'invalid_exact_evm_payload_recipient_mismatch',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_authorization_value',
  'invalid_exact_evm_payload_authorization_value',
  'invalid_exact_evm_payload_authorization_value_mismatch',
  'invalid_exact_evm_payload_authorization_valid_before',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'invalid_exact_evm_eip3009_not_supported',
  'invalid_exact_evm_transaction_simulation_failed',
  'asset_not_deployed_contract',
  'eip6492_factory_not_allowed',
  'smart_wallet_deployment_failed',
  'invalid_network',
  'invalid_payload',
  'invalid_payment_requirements',
  'invalid_scheme',
  'invalid_x402_version',
  'unsupported_scheme',
  'unsupported_payload_type',
]);

const CODE = /^[a-z0-9_]{1,80}$/;

/** Classifies the answer to a settle call. */
export function readSettlement(settlement: Settlement): SettlementReport {
  const reason = settlement.success ? 'settled' : reasonCode(settlement.errorReason);
  const txHash = typeof settlement.transaction === 'string' ? settlement.transaction.toLowerCase() : '';
  if (/^0x[0-9a-f]{64}$/.test(txHash)) {
    const { success, proof = null, unpaid = false } = settlement;
    return { kind: 'transaction', txHash, success, reason, proof, unpaid };
  }
  if (!settlement.success && txHash === '' && REFUSALS.has(reason)) return { kind: 'refused', reason };
  return { kind: 'unknown', reason: settlement.success ? 'success_without_transaction' : reason };
}

/** The facilitator's reason when it is a code of the protocol. Free text of a foreign server is not passed on. */
export function reasonCode(reason: string | undefined): string {
  return reason !== undefined && CODE.test(reason) ? reason : 'settlement_failed';
}

/** Whether a verification failed because the authorization is spent. It may have been spent on this very payment. */
export function saysNonceUsed(reason: string | undefined): boolean {
  return reason !== undefined && /nonce_(already_)?used|authorization_(already_)?used/.test(reason);
}

/** Whether a verification failed because the authorization has expired. It may have been executed before that. */
export function saysExpired(reason: string | undefined): boolean {
  return reason !== undefined && /valid_before|expired/.test(reason);
}

/** Whether a payment was refused only because it is not valid yet. */
export function saysEarly(reason: string | undefined): boolean {
  return reason !== undefined && /valid_after|not_yet_valid/.test(reason);
}

/** The explanation of a code, for the payer. */
export function explain(reason: string): string {
  for (const [pattern, text] of EXPLANATIONS) if (pattern.test(reason)) return text;
  return `the payment was refused (${reason})`;
}

const EXPLANATIONS: [RegExp, string][] = [
  [
    /factory_not_allowed/,
    'the wallet is not deployed, and the service does not call its factory; deploy the wallet, then sign a new payment',
  ],
  [
    /wallet_deployment_failed/,
    'the wallet is not deployed, and its deployment fails or takes more gas than the service pays; deploy it, then sign a new payment',
  ],
  [/insufficient/, 'the wallet holds too little USDC'],
  [/signature/, 'the signature is not valid'],
  [/valid_before|expired/, 'the authorization has expired'],
  [/nonce_already_used|nonce_used|spent_elsewhere/, 'the authorization was canceled or spent on something else'],
  [/returned_to_payer/, 'its transfer was given back to the paying wallet'],
  [/authorization_lapsed/, 'the authorization can no longer execute'],
];
