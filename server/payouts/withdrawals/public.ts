// payouts/withdrawals/ offers the operations that pay earned fees to a listed address. The rest is private.

// The operations that pay earned fees to a listed address of the operator.
export { withdrawalRoutes } from './routes.ts';
