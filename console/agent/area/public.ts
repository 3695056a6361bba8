/**
 * The frame of the agent's pages: the parent route, the key store, and the hooks that send its key.
 */
export { agentStore, type Profile, useApiPages, useApiQuery, useProfile, useRefresh } from './agent-store.ts';
export { areaRoute, pageRoute } from './area-route.ts';
export { WebhookState } from './webhook-state.tsx';
