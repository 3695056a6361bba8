// ledger/ offers the double-entry books: accounts, journals, balances, their checks, and the state of a recovery. The rest
// is private.

// The names of accounts.
export { REVENUE, STRAY, TREASURY, UNEXPLAINED, escrowAccount, feesAccount, payableAccount } from './accounts.ts';

// Write a journal, read balances.
export { accountBalances, accountFlow, type JournalLine, listAccounts as accountsWithBalance } from './queries.ts';
export { postJournal } from './post-journal.ts';
export { linesAgain, reverseJournal } from './reverse-journal.ts';

// The check of the ledger against itself, and the stored results of all checks.
export { checkJournals, insertCheck, newestCheck, setNextTurn, takeTurn } from './check-queries.ts';
export { isShort, requireSolvent } from './shortage.ts';
// Whether a recovery must run before money moves again.
export {
  finishRecovery,
  mustWait,
  recoveryNeeded,
  recoveryNeededSince,
  requireCompared,
  requireRecovery,
  serverName,
  whyStopped,
  payoutsStopped,
} from './recovery-state.ts';
