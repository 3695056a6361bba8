import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** The parent route of the operator's pages: it asks the operator to sign in first. */
export const areaRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator-area.tsx'), 'OperatorArea'),
});

/** A page of the operator's area. `path` is relative to the area; `component` loads when the page opens. */
export function pageRoute(path: string, component: ReturnType<typeof lazyRouteComponent>) {
  return createRoute({ getParentRoute: () => areaRoute, path, component });
}
