import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** The business on the first page of the operator's area, and the machine on a page of its own. */
export const overviewRoute = pageRoute(
  '/',
  lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
);

export const machineRoute = pageRoute(
  '/machine',
  lazyRouteComponent(() => import('./machine-page.tsx'), 'MachinePage'),
);
