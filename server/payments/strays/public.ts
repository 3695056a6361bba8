// payments/strays/ offers transfers to the treasury that belong to no payment, and those out of it that an operator
// adopted. The rest is private.

// Transfers to the treasury that belong to no payment.
export { claimTransfer, recordStrays } from './stray.ts';
export {
  findStray,
  listStrayRows,
  strayId,
  straysBetween,
  takeStray,
  unclaimedMicro,
  unclaimedStrays,
  type StrayTransfer,
} from './stray-queries.ts';
// Transfers out of the treasury that an operator booked without a payout.
export {
  adoptedBetween,
  bookAdoptedTransfer,
  claimAdopted,
  unexplainedMicro,
  unexplainedTransfers,
  type AdoptedTransfer,
} from './adopted.ts';
