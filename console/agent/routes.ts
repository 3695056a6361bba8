import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { rootRoute } from '../root-route.ts';

const areaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agent',
  component: lazyRouteComponent(() => import('./agent-area.tsx'), 'AgentArea'),
});

const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => areaRoute, path, component });

export const agentArea = {
  routes: [
    areaRoute.addChildren([
      at(
        '/',
        lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
      ),
      at(
        '/entries',
        lazyRouteComponent(() => import('./history-page.tsx'), 'HistoryPage'),
      ),
      at(
        '/analytics',
        lazyRouteComponent(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
      ),
      at(
        '/webhook',
        lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
      ),
      at(
        '/keys',
        lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
      ),
      at(
        '/wallet',
        lazyRouteComponent(() => import('./wallet-page.tsx'), 'WalletPage'),
      ),
      at(
        '/settings',
        lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
      ),
    ]),
  ],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
