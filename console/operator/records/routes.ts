import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Lists and detail pages of agents, projects, deliveries, flags, objections and the audit trail. */
export const recordRoutes = [
  pageRoute(
    '/search',
    lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
  ),
  pageRoute(
    '/posters',
    lazyRouteComponent(() => import('./posters-page.tsx'), 'PostersPage'),
  ),
  pageRoute(
    '/posters/$posterId',
    lazyRouteComponent(() => import('./poster-page.tsx'), 'PosterPage'),
  ),
  pageRoute(
    '/agents',
    lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
  ),
  pageRoute(
    '/agents/$agentId',
    lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
  ),
  pageRoute(
    '/projects',
    lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
  ),
  pageRoute(
    '/projects/$projectId',
    lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
  ),
  pageRoute(
    '/deliveries',
    lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  pageRoute(
    '/flags',
    lazyRouteComponent(() => import('./flags-page.tsx'), 'FlagsPage'),
  ),
  pageRoute(
    '/objections',
    lazyRouteComponent(() => import('./objections-page.tsx'), 'ObjectionsPage'),
  ),
  pageRoute(
    '/audit',
    lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  ),
] as const;
