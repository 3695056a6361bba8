// views/deliveries/ offers the operator's list of deliveries. The rest is private.

export { waitingDeliveryRoutes } from './routes.ts';
