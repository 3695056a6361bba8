/** Deliveries of webhooks: their state, their attempts, and the request that was sent. */
export { Attempts, DeliveryState, testResultOf } from './delivery-attempts.tsx';
