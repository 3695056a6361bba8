import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** The receipt of a completed brief. */
export const receiptRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/projects/$projectId/receipt',
  component: lazyRouteComponent(() => import('./receipt-page.tsx'), 'ReceiptPage'),
});
