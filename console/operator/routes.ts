import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { rootRoute } from '../shell/root-route.ts';

const areaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('./area/operator-area.tsx'), 'OperatorArea'),
});

const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => areaRoute, path, component });

export const operatorArea = {
  routes: [
    areaRoute.addChildren([
      at(
        '/',
        lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
      ),
      at(
        '/agents',
        lazyRouteComponent(() => import('./records/agents-page.tsx'), 'AgentsPage'),
      ),
      at(
        '/agents/$agentId',
        lazyRouteComponent(() => import('./records/agent-page.tsx'), 'AgentPage'),
      ),
      at(
        '/projects',
        lazyRouteComponent(() => import('./records/projects-page.tsx'), 'ProjectsPage'),
      ),
      at(
        '/projects/$projectId',
        lazyRouteComponent(() => import('./records/project-page.tsx'), 'ProjectPage'),
      ),
      at(
        '/payments',
        lazyRouteComponent(() => import('./money/payments-page.tsx'), 'PaymentsPage'),
      ),
      at(
        '/payouts',
        lazyRouteComponent(() => import('./money/payouts-page.tsx'), 'PayoutsPage'),
      ),
      at(
        '/deliveries',
        lazyRouteComponent(() => import('./records/deliveries-page.tsx'), 'DeliveriesPage'),
      ),
      at(
        '/flags',
        lazyRouteComponent(() => import('./records/flags-page.tsx'), 'FlagsPage'),
      ),
      at(
        '/audit',
        lazyRouteComponent(() => import('./records/audit-page.tsx'), 'AuditPage'),
      ),
    ]),
  ],
  nav: { to: '/operator', label: messages.nav.operator },
} as const;
