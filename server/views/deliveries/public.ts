// What views/deliveries/ offers to other folders; everything else in it is private.

export { waitingDeliveryRoutes } from './routes.ts';
