// db/ offers transactions and the breaker to the domains. The rest is private.

export { workingProcesses } from './ask-server.ts';
export { askDatabase, createBreaker, DatabaseDown, requireDatabase } from './breaker.ts';
export { connectionWaitMs } from './connection-wait.ts';
export { isDiskFull, postgres } from './driver.ts';
export { withTransaction } from './transaction.ts';
export { NoConnection } from './wait-limit.ts';
