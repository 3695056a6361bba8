import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Payments, payouts, stray transfers, the addresses of withdrawals, and recovery. */
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
    '/withdrawal-addresses',
    lazyRouteComponent(() => import('./addresses-page.tsx'), 'AddressesPage'),
  ),
  pageRoute(
    '/recovery',
    lazyRouteComponent(() => import('./recovery-page.tsx'), 'RecoveryPage'),
  ),
] as const;
