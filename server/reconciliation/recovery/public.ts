// reconciliation/recovery/ offers these names to other folders; everything else in it is private.

// HTTP operations of the operator.
export { recoveryRoutes } from './routes.ts';

// The same recovery for the command line.
export { messageOf } from './recover-now.ts';
export { recover, type RecoveryReport } from './recover.ts';

// Before a process moves money or ends a project, it compares the database with the chain.
export { createComparison } from './comparison.ts';
