/**
 * The frame of the operator's pages: the parent route, the session, and the hooks that use it.
 */
export { areaRoute, pageRoute } from './area-route.ts';
export { checkValue, problemOf } from './check-value.ts';
export { LIST_MS, operatorStore, type Overview, useApiPages, useApiQuery, useRefresh } from './operator-store.ts';
export { PartyLinks } from './party-links.tsx';
export { named, Subject } from './subject.tsx';
