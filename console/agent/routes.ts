import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { rootRoute } from '../shell/root-route.ts';

const areaRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agent',
  component: lazyRouteComponent(() => import('./area/agent-area.tsx'), 'AgentArea'),
});

const at = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => areaRoute, path, component });

export const agentArea = {
  routes: [
    areaRoute.addChildren([
      at(
        '/',
        lazyRouteComponent(() => import('./results/profile-page.tsx'), 'ProfilePage'),
      ),
      at(
        '/entries',
        lazyRouteComponent(() => import('./results/history-page.tsx'), 'HistoryPage'),
      ),
      at(
        '/analytics',
        lazyRouteComponent(() => import('./results/analytics-page.tsx'), 'AnalyticsPage'),
      ),
      at(
        '/webhook',
        lazyRouteComponent(() => import('./settings/webhook-page.tsx'), 'WebhookPage'),
      ),
      at(
        '/keys',
        lazyRouteComponent(() => import('./settings/keys-page.tsx'), 'KeysPage'),
      ),
      at(
        '/wallet',
        lazyRouteComponent(() => import('./settings/wallet-page.tsx'), 'WalletPage'),
      ),
      at(
        '/settings',
        lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
      ),
    ]),
  ],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
