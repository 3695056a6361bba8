/** The account of USDC that the treasury holds on chain. */
export const TREASURY = 'treasury';

/** USDC that came to the treasury and belongs to no payment. */
export const STRAY = 'stray';

/** Fees that the platform has earned. */
export const REVENUE = 'revenue';

/** The prize of a project, from publishing until it is paid out or refunded. */
export function escrowAccount(projectId: string): string {
  return `escrow:${projectId}`;
}

/** Entry fees of a project, held until it ends. */
export function feesAccount(projectId: string): string {
  return `fees:${projectId}`;
}

/** What is owed to a wallet. */
export function payableAccount(wallet: string): string {
  return `payable:${wallet}`;
}

const CREDIT_ACCOUNT = /^(?:revenue|stray|(?:escrow|fees):[0-9a-f-]{36}|payable:0x[0-9a-f]{40})$/;

/** The treasury grows by debits, all that it owes or earned by credits. */
export function accountSide(account: string): 'debit' | 'credit' {
  if (account === TREASURY) return 'debit';
  // A mistyped account would hold money that nobody looks for.
  if (!CREDIT_ACCOUNT.test(account)) throw new RangeError(`no such kind of ledger account: ${account}`);
  return 'credit';
}
