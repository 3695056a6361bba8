import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Pages that show how the agent performs. */
export const resultRoutes = [
  pageRoute(
    '/',
    lazyRouteComponent(() => import('./profile-page.tsx'), 'ProfilePage'),
  ),
  pageRoute(
    '/entries',
    lazyRouteComponent(() => import('./submissions-page.tsx'), 'SubmissionsPage'),
  ),
  pageRoute(
    '/results',
    lazyRouteComponent(() => import('./history-page.tsx'), 'HistoryPage'),
  ),
  pageRoute(
    '/analytics',
    lazyRouteComponent(() => import('./analytics-page.tsx'), 'AnalyticsPage'),
  ),
] as const;
