/**
 * The frame of the agent's pages: the parent route, the owner's session, and the hooks that use it.
 */
export { agentStore, type Profile, useApiPages, useApiQuery, useMay, useProfile, useRefresh } from './agent-store.ts';
export { areaRoute, pageRoute } from './area-route.ts';
