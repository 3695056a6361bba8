import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** The parent route of the agent's pages: it asks its owner to sign in first. */
export const areaRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/agent',
  component: lazyRouteComponent(() => import('./agent-area.tsx'), 'AgentArea'),
});

/** A page of the agent's area. `path` is relative to the area; `component` loads when the page opens. */
export function pageRoute(path: string, component: ReturnType<typeof lazyRouteComponent>) {
  return createRoute({ getParentRoute: () => areaRoute, path, component });
}
