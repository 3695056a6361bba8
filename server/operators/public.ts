// operators/ offers named operators: authentication, the checks around their acts, approvals, and their management. The
// rest is private.

export { operatorKeyRoutes } from './routes.ts';
export { actsOf } from './acts.ts';
export { createOperatorAuthenticator, type OperatorAuthenticator, sharedCaller } from './authenticate.ts';
export { findOperatorWithKey } from './queries.ts';

// Functions that http/ calls around each operation of an operator.
export { requireOperatorScope } from './require-scope.ts';
export { requireOperatorCode } from './require-code.ts';
export { AwaitsApproval, orAwaitApproval } from './request-approval.ts';

// For the operator's list of requests.
export { approvalPage } from './list-approvals.ts';

// Verbs that move money call it in their transaction.
export { requireApproval } from './require-approval.ts';

// The command line manages operators too.
export { createOperator } from './add-operator.ts';
export { endOperator } from './revoke-operator.ts';
export { listOperatorRows, type OperatorRow } from './queries.ts';
