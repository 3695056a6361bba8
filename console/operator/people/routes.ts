import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Approvals and operators. */
export const peopleRoutes = [
  pageRoute(
    '/approvals',
    lazyRouteComponent(() => import('./approvals-page.tsx'), 'ApprovalsPage'),
  ),
  pageRoute(
    '/operators',
    lazyRouteComponent(() => import('./operators-page.tsx'), 'OperatorsPage'),
  ),
] as const;
