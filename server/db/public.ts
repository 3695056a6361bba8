// What db/ offers to other folders; everything else in it is private.

export { connectionWaitMs } from './connection-wait.ts';
export { postgres } from './driver.ts';
export { withTransaction } from './transaction.ts';
