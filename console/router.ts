import { createRouter } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { areas } from './areas.ts';
import { CrashPage } from './shell/crash-page.tsx';
import { PendingPage } from './components/layout/pending-page.tsx';
import { marketRoute } from './market/routes.ts';
import { publicProjectRoute } from './public-project/routes.ts';
import { leaderboardRoute, publicAgentRoute } from './rankings/routes.ts';
import { rootRoute, signedInRoute } from './shell/root-route.ts';

const routeTree = rootRoute.addChildren([
  marketRoute,
  publicProjectRoute,
  leaderboardRoute,
  publicAgentRoute,
  signedInRoute.addChildren(areas.flatMap(({ routes }) => routes)),
]);

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries, nav: areas.map(({ nav }) => nav) },
    defaultPreload: 'intent',
    // Answers are the query cache's to keep.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: CrashPage,
    defaultPendingComponent: PendingPage,
  });
}
