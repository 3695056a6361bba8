import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The first page of the operator's area. */
export const overviewRoute = pageRoute(
  '/',
  lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
);
