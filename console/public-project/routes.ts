import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readOpenedEntries } from '../components/public.ts';
import { rootRoute } from '../shell/public.ts';

/** The public page of one project. */
export const publicProjectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  validateSearch: readOpenedEntries,
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});
