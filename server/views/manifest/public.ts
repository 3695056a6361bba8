// The signed proof of a delivery. Everything else in this folder is private.

export { deliveryManifest } from './delivery-manifest.ts';
export { manifestRoutes } from './routes.ts';
