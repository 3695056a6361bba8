/**
 * The frame around every page: header, navigation, footer, and the two parent routes. `rootRoute` is the parent of public
 * pages; `signedInRoute` is the parent of pages behind a sign-in and loads the component library.
 */
export { CrashPage } from './crash-page.tsx';
export { NotFoundPage } from './not-found-page.tsx';
export { pageRoute, rootRoute, signedInRoute } from './root-route.ts';
export type { NavEntry } from './navigation.tsx';
export { useParam } from './use-param.ts';
