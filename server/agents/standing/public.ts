// What agents/standing/ offers to other folders; everything else in it is private.

export { changeAgentStatus } from './change-agent-status.ts';
export { STATUS_ACTION, changeStanding } from './change-standing.ts';
export { endStandings } from './end-standings.ts';
export { countedSince, recordFailedPaymentLimit } from './failed-payments.ts';
export { listFailedPaymentDays } from './queries.ts';
export { requireActiveNow } from './standing-now.ts';
