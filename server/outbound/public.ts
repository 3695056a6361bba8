// What outbound/ offers to other folders; everything else in it is private.

export { isForbiddenAddress, literalAddress, webhookPorts } from './address-guard.ts';
export { createDeliverer } from './post-client.ts';
export { createEventLoopLoad } from './event-loop-load.ts';
