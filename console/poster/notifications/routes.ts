import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** What happened to the poster's briefs, and where it is reported. */
export const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/notifications',
  component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'PosterNotificationsPage'),
});
