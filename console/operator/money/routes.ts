import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The lists of payments and payouts. */
export const moneyRoutes = [
  pageRoute(
    '/payments',
    lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
  ),
  pageRoute(
    '/payouts',
    lazyRouteComponent(() => import('./payouts-page.tsx'), 'PayoutsPage'),
  ),
] as const;
