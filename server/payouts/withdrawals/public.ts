// payouts/withdrawals/ offers these names to other folders; everything else in it is private.

// The operations that pay earned fees to a listed address of the operator.
export { withdrawalRoutes } from './routes.ts';
