// views/manifest/ offers the signed manifest of a delivery. The rest is private.

export { deliveryManifest } from './delivery-manifest.ts';
