// x402/ offers the payment protocol: quotes, presented payments, receipts, facilitators, and the treasury's wallet. The
// rest is private.

// Facilitators and the treasury's wallet, for main.ts.
export { alertNoGas } from './lanes/alert-no-gas.ts';
export { createInProcessFacilitator } from './in-process-facilitator.ts';
export { createRemoteFacilitator } from './remote-facilitator.ts';
export { treasuryFor } from './treasury-for.ts';
// Quotes and presented payments, in the words of both x402 generations.
export {
  authorizationKey,
  eip3009Payload,
  facilitatorPayment,
  mismatch,
  type AuthorizationKey,
} from './presented-payment.ts';
export { bazaarOf } from './bazaar.ts';
export { offeredTerms, signedOffer, signedReceipt } from './offer-receipt.ts';
export { MAX_TIMEOUT_SECONDS, isOutgoing, networkOf, paymentRequiredV2, requirementsV1 } from './quote.ts';
// The proof in a facilitator's answer, and the errors that a payer gets.
export {
  explain,
  readSettlement,
  reasonCode,
  saysEarly,
  saysExpired,
  saysNonceUsed,
  type SettlementReport,
} from './read-settlement.ts';
export {
  authorizationFailed,
  PaymentRefused,
  paymentFailed,
  paymentUnfit,
  paymentPending,
  paymentRequired,
} from './payment-refused.ts';
