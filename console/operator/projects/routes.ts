import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The list of projects, and the page of one with what the operator decides about it. */
export const projectRoutes = [
  pageRoute(
    '/projects',
    lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
  ),
  pageRoute(
    '/projects/$projectId',
    lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
  ),
] as const;
