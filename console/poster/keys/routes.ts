import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../shell/public.ts';

/** Shows the poster's API keys. */
export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/poster/keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'PosterKeysPage'),
});
