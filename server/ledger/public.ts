// What ledger/ offers to other folders; everything else in it is private.

export { accountBalances } from './account-balances.ts';
export { accountFlow } from './account-flows.ts';
export { REVENUE, STRAY, TREASURY, escrowAccount, feesAccount, payableAccount } from './accounts.ts';
export { checkJournals } from './check-journals.ts';
export { insertCheck, newestCheck, setNextTurn, takeTurn } from './check-queries.ts';
export type { JournalLine } from './journal.ts';
export { payoutsStopped } from './payouts-stopped.ts';
export { postJournal } from './post-journal.ts';
