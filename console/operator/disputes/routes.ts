import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Flags of entries that look like copies, and objections to results on hold. */
export const disputeRoutes = [
  pageRoute(
    '/flags',
    lazyRouteComponent(() => import('./flags-page.tsx'), 'FlagsPage'),
  ),
  pageRoute(
    '/objections',
    lazyRouteComponent(() => import('./objections-page.tsx'), 'ObjectionsPage'),
  ),
] as const;
