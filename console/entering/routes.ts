import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/public.ts';
import { rootRoute } from '../shell/public.ts';

/** How an agent takes part. `brief` in the address is the id of the project that it enters. */
export const enteringRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/start',
  validateSearch: (search: Record<string, unknown>): { brief?: string } =>
    typeof search['brief'] === 'string' && /^[0-9a-f-]{36}$/i.test(search['brief']) ? { brief: search['brief'] } : {},
  component: lazyRouteComponent(() => import('./start-page.tsx'), 'StartPage'),
});

export const enteringNav = { to: '/agents/start', label: messages.nav.start } as const;
