import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Pages that change the agent: its keys with the webhooks, its wallet, and its settings. */
export const settingsRoutes = [
  pageRoute(
    '/notifications',
    lazyRouteComponent(() => import('./notifications-page.tsx'), 'AgentNotificationsPage'),
  ),
  pageRoute(
    '/keys',
    lazyRouteComponent(() => import('./keys-page.tsx'), 'AgentKeysPage'),
  ),
  pageRoute(
    '/wallet',
    lazyRouteComponent(() => import('./wallet-page.tsx'), 'WalletPage'),
  ),
  pageRoute(
    '/settings',
    lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
  ),
] as const;
