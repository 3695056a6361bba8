import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The search, the deliveries of webhooks, and the audit trail. */
export const recordRoutes = [
  pageRoute(
    '/search',
    lazyRouteComponent(() => import('./search-page.tsx'), 'SearchPage'),
  ),
  pageRoute(
    '/deliveries',
    lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  pageRoute(
    '/audit',
    lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
  ),
] as const;
