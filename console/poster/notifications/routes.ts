import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** Shows the events of the poster's briefs, and where the service reports them. */
export const notificationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/notifications',
  component: lazyRouteComponent(() => import('./notifications-page.tsx'), 'PosterNotificationsPage'),
});
