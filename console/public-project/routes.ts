import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/public.ts';

/** The public page of one project. */
export const publicProjectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});
