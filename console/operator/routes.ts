import { areaRoute, pageRoute } from './area/area-route.ts';
import { lazyRouteComponent } from '@tanstack/react-router';

/** The six pages of the operator, with the tabs of three of them, and the pages of one project, agent, or poster. */
const pageRoutes = [
  pageRoute(
    '/',
    lazyRouteComponent(() => import('./pages/overview-page.tsx'), 'OverviewPage'),
  ),
  pageRoute(
    '/projects',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'ProjectsPage'),
  ),
  pageRoute(
    '/projects/$projectId',
    lazyRouteComponent(() => import('./pages/project-page.tsx'), 'ProjectPage'),
  ),
  pageRoute(
    '/people',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'AgentsPage'),
  ),
  pageRoute(
    '/people/agents/$agentId',
    lazyRouteComponent(() => import('./pages/agent-page.tsx'), 'AgentPage'),
  ),
  pageRoute(
    '/people/posters',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'PostersPage'),
  ),
  pageRoute(
    '/people/posters/$posterId',
    lazyRouteComponent(() => import('./pages/poster-page.tsx'), 'PosterPage'),
  ),
  pageRoute(
    '/money',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'PaymentsPage'),
  ),
  pageRoute(
    '/money/payouts',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'PayoutsPage'),
  ),
  pageRoute(
    '/money/strays',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'StraysPage'),
  ),
  pageRoute(
    '/money/revenue',
    lazyRouteComponent(() => import('./pages/revenue-page.tsx'), 'RevenuePage'),
  ),
  pageRoute(
    '/deliveries',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'WebhooksPage'),
  ),
  pageRoute(
    '/deliveries/emails',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'EmailsPage'),
  ),
  pageRoute(
    '/audit',
    lazyRouteComponent(() => import('./pages/list-pages.tsx'), 'AuditPage'),
  ),
] as const;

/** The operator's pages. */
export const operatorArea = {
  routes: [areaRoute.addChildren(pageRoutes)],
} as const;
