import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { rootRoute } from '../root-route.ts';

const areaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('./operator-area.tsx'), 'OperatorArea'),
});

const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => areaRoute, path, component });

export const operatorArea = {
  routes: [
    areaRoute.addChildren([
      at(
        '/',
        lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
      ),
      at(
        '/agents',
        lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
      ),
      at(
        '/agents/$agentId',
        lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
      ),
      at(
        '/projects',
        lazyRouteComponent(() => import('./projects-page.tsx'), 'ProjectsPage'),
      ),
      at(
        '/projects/$projectId',
        lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
      ),
      at(
        '/payments',
        lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
      ),
      at(
        '/payouts',
        lazyRouteComponent(() => import('./payouts-page.tsx'), 'PayoutsPage'),
      ),
      at(
        '/deliveries',
        lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
      ),
      at(
        '/flags',
        lazyRouteComponent(() => import('./flags-page.tsx'), 'FlagsPage'),
      ),
      at(
        '/audit',
        lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
      ),
    ]),
  ],
  nav: { to: '/operator', label: messages.nav.operator },
} as const;
