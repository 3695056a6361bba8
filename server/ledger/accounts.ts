/** The USDC that the treasury holds on chain. */
export const TREASURY = 'treasury';

/** USDC that arrived at the treasury and belongs to no payment. */
export const STRAY = 'stray';

/** USDC that left the treasury and belongs to no payout. The operator adopted each of these transfers. */
export const UNEXPLAINED = 'unexplained';

/** Fees that the platform has earned. */
export const REVENUE = 'revenue';

/** The prize of a project, from its publication to its payout or refund. */
export function escrowAccount(projectId: string): string {
  return `escrow:${projectId}`;
}

/** The entry fees of a project, held until the project ends. */
export function feesAccount(projectId: string): string {
  return `fees:${projectId}`;
}

/** The amount that the service owes to a wallet. */
export function payableAccount(wallet: string): string {
  return `payable:${wallet}`;
}

const CREDIT_ACCOUNT = /^(?:revenue|stray|(?:escrow|fees):[0-9a-f-]{36}|payable:0x[0-9a-f]{40})$/;

/**
 * The accounts `treasury` and `unexplained` grow by debits. All other accounts, which are debts or earnings, grow by
 * credits.
 */
export function accountSide(account: string): 'debit' | 'credit' {
  if (account === TREASURY || account === UNEXPLAINED) return 'debit';
  // Money in a mistyped account would never be found.
  if (!CREDIT_ACCOUNT.test(account)) throw new RangeError(`unknown kind of ledger account: ${account}`);
  return 'credit';
}
