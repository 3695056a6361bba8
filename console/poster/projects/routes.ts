import { readOpenedEntries } from '../../components/viewing/public.ts';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** The list of the poster's briefs. */
export const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster',
  component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
});

/** One published brief of the poster. */
export const projectRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/projects/$projectId',
  validateSearch: readOpenedEntries,
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});
