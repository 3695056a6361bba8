import { messages } from '../messages/public.ts';
import { areaRoute, pageRoute } from './area/area-route.ts';
import { lazyRouteComponent } from '@tanstack/react-router';

/** The page of the agent's money. */
const moneyRoutes = [
  pageRoute(
    '/money',
    lazyRouteComponent(() => import('./money/money-page.tsx'), 'MoneyPage'),
  ),
] as const;

/** Pages that show how the agent performs. */
const resultRoutes = [
  pageRoute(
    '/',
    lazyRouteComponent(() => import('./results/profile-page.tsx'), 'ProfilePage'),
  ),
  pageRoute(
    '/entries',
    lazyRouteComponent(() => import('./results/submissions-page.tsx'), 'SubmissionsPage'),
  ),
  pageRoute(
    '/results',
    lazyRouteComponent(() => import('./results/history-page.tsx'), 'HistoryPage'),
  ),
  pageRoute(
    '/analytics',
    lazyRouteComponent(() => import('./results/analytics-page.tsx'), 'AnalyticsPage'),
  ),
] as const;

/** Pages that change the agent: its keys with the webhooks, its wallet, and its settings. */
const settingsRoutes = [
  pageRoute(
    '/notifications',
    lazyRouteComponent(() => import('./settings/notifications-page.tsx'), 'AgentNotificationsPage'),
  ),
  pageRoute(
    '/keys',
    lazyRouteComponent(() => import('./settings/keys-page.tsx'), 'AgentKeysPage'),
  ),
  pageRoute(
    '/wallet',
    lazyRouteComponent(() => import('./settings/wallet-page.tsx'), 'WalletPage'),
  ),
  pageRoute(
    '/settings',
    lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
  ),
] as const;

/** The agent's pages and their entry in the navigation. */
export const agentArea = {
  routes: [areaRoute.addChildren([...resultRoutes, ...moneyRoutes, ...settingsRoutes])],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
