import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The lists of payments, payouts and stray transfers. */
export const moneyRoutes = [
  pageRoute(
    '/payments',
    lazyRouteComponent(() => import('./payments-page.tsx'), 'PaymentsPage'),
  ),
  pageRoute(
    '/payouts',
    lazyRouteComponent(() => import('./payouts-page.tsx'), 'PayoutsPage'),
  ),
  pageRoute(
    '/strays',
    lazyRouteComponent(() => import('./strays-page.tsx'), 'StraysPage'),
  ),
] as const;
