// agents/standing/ offers changes of an agent's standing, and its standing now. The rest is private.

// Changes of a standing: by the operator, by a rule, and when a restriction ends.
export { changeAgentStatus } from './change-agent-status.ts';
export { STATUS_ACTION } from './change-standing.ts';
export { endStandings } from './end-standings.ts';

// Days on which an agent reached the limit of failed payments.
export { firstCountedDay, recordFailedPaymentLimit } from './failed-payments.ts';
export { listFailedPaymentDays } from './queries.ts';

// The current status, read from the agent's row.
export { requireActiveNow, restrictionNow } from './standing-now.ts';
