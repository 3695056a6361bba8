// chain/ offers the chain as the service reads it, and the networks that it supports. The rest is private.

// The chain as the service reads it: payments, transfers, balances, signatures.
export { createBalances } from './balances.ts';
export { createEvmChain } from './evm-chain.ts';
export { createProvenReceipts } from './proven-receipts.ts';
export { paidTransfer } from './usdc-events.ts';

// The JSON-RPC client, the supported networks, and the errors of nodes.
export { networks } from './networks.ts';
export { MULTICALL3, nodeClient, type NodeRequests } from './node-client.ts';
export { isTransportFailure, withoutAddress } from './node-errors.ts';
