// What chain/ offers to other folders; everything else in it is private.

export { createBalances } from './balances.ts';
export { createEvmChain, receiptOf } from './evm-chain.ts';
export { networks } from './networks.ts';
export { nodeClient } from './node-client.ts';
export { isTransportFailure, withoutAddress } from './node-errors.ts';
export { chainRoutes } from './routes.ts';
export { paidTransfer } from './usdc-events.ts';
