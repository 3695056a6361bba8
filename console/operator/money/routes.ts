import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Payments, payouts, stray transfers, and recovery. */
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
  pageRoute(
    '/recovery',
    lazyRouteComponent(() => import('./recovery-page.tsx'), 'RecoveryPage'),
  ),
] as const;
