// What x402/ offers to other folders; everything else in it is private.

export { createInProcessFacilitator } from './in-process-facilitator.ts';
export { PaymentRefused, paymentFailed, paymentPending, paymentRequired } from './payment-refused.ts';
export {
  authorizationKey,
  eip3009Payload,
  facilitatorPayment,
  mismatch,
  type AuthorizationKey,
} from './presented-payment.ts';
export { MAX_TIMEOUT_SECONDS, isOutgoing, networkOf, paymentRequiredV2, requirementsV1 } from './quote.ts';
export { explain, readSettlement, reasonCode, saysNonceUsed, type SettlementReport } from './read-settlement.ts';
export { createRemoteFacilitator } from './remote-facilitator.ts';
export { createTreasury } from './treasury.ts';
