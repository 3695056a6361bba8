// What agents/standing/ offers to other folders; everything else in it is private.

// Changes of a standing: by the operator, by a rule, and when a restriction ends.
export { changeAgentStatus } from './change-agent-status.ts';
export { STATUS_ACTION, changeStanding } from './change-standing.ts';
export { endStandings } from './end-standings.ts';

// Days on which an agent reached the limit of failed payments.
export { firstCountedDay, recordFailedPaymentLimit } from './failed-payments.ts';
export { listFailedPaymentDays } from './queries.ts';

// The check of the current status inside a transaction.
export { requireActiveNow } from './standing-now.ts';
