import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The six pages of the operator, with the tabs of three of them, and the pages of one project, agent, or poster. */
export const pageRoutes = [
  pageRoute(
    '/',
    lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
  ),
  pageRoute(
    '/projects',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'ProjectsPage'),
  ),
  pageRoute(
    '/projects/$projectId',
    lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
  ),
  pageRoute(
    '/people',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'AgentsPage'),
  ),
  pageRoute(
    '/people/agents/$agentId',
    lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
  ),
  pageRoute(
    '/people/posters',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'PostersPage'),
  ),
  pageRoute(
    '/people/posters/$posterId',
    lazyRouteComponent(() => import('./poster-page.tsx'), 'PosterPage'),
  ),
  pageRoute(
    '/money',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'PaymentsPage'),
  ),
  pageRoute(
    '/money/payouts',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'PayoutsPage'),
  ),
  pageRoute(
    '/money/strays',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'StraysPage'),
  ),
  pageRoute(
    '/money/revenue',
    lazyRouteComponent(() => import('./revenue-page.tsx'), 'RevenuePage'),
  ),
  pageRoute(
    '/deliveries',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'WebhooksPage'),
  ),
  pageRoute(
    '/deliveries/emails',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'EmailsPage'),
  ),
  pageRoute(
    '/audit',
    lazyRouteComponent(() => import('./list-pages.tsx'), 'AuditPage'),
  ),
] as const;
