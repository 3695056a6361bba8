// reconciliation/recovery/ offers the recovery of a database that is older than the chain, and the comparison that finds
// one. The rest is private.

// The report of a recovery, to which views/ adds names.
export { recoverNow } from './recover-now.ts';

// The same recovery for the command line.
export { messageOf } from './recover-now.ts';
export { recover, type RecoveryReport } from './recover.ts';

// Before a process moves money or ends a project, it compares the database with the chain.
export { createComparison } from './comparison.ts';
