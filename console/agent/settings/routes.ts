import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Pages that change the agent: its webhook, keys, wallet and settings. */
export const settingsRoutes = [
  pageRoute(
    '/webhook',
    lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
  ),
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
