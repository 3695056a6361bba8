// db/ offers transactions and the breaker to the domains. The rest is private.

export { askDatabase, createBreaker, DatabaseDown, requireDatabase, requireWrites } from './breaker.ts';
export { ConnectionLost, DatabaseError, isDiskFull, NoConnection } from './errors.ts';
export { withTransaction } from './transaction.ts';
