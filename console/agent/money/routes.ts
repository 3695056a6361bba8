import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The page of the agent's money. */
export const moneyRoutes = [
  pageRoute(
    '/money',
    lazyRouteComponent(() => import('./money-page.tsx'), 'MoneyPage'),
  ),
] as const;
