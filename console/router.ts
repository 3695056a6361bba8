import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { areas, nav } from './areas.ts';
import { PendingPage } from './components/public.ts';
import { enteringRoute } from './entering/public.ts';
import { marketRoute } from './market/public.ts';
import { publicProjectRoute } from './public-project/public.ts';
import { leaderboardRoute, publicAgentRoute } from './rankings/public.ts';
import { CrashPage, rootRoute, signedInRoute } from './shell/public.ts';

const routeTree = rootRoute.addChildren([
  marketRoute,
  publicProjectRoute,
  leaderboardRoute,
  enteringRoute,
  publicAgentRoute,
  signedInRoute.addChildren(areas.flatMap(({ routes }) => routes)),
]);

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries, nav },
    defaultPreload: 'intent',
    // The query cache keeps responses, so the router must not.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: CrashPage,
    defaultPendingComponent: PendingPage,
  });
}
