/**
 * The frame of the operator's pages: the parent route, the session, the hooks that use it, and links between the pages.
 */
export { areaRoute, pageRoute } from './area-route.ts';
export { named, PageLink, PartyLinks, Subject } from './links.tsx';
export { LIST_MS, operatorStore, type Overview, useApiPages, useApiQuery, useRefresh } from './operator-store.ts';
