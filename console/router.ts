import { createRouter } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { areas } from './areas.ts';
import { CrashPage } from './shell/crash-page.tsx';
import { PendingPage } from './components/layout/pending-page.tsx';
import { marketRoutes } from './market/routes.ts';
import { baseRoute, rootRoute } from './shell/root-route.ts';

const routeTree = baseRoute.addChildren([
  ...marketRoutes,
  rootRoute.addChildren(areas.flatMap(({ routes }) => routes)),
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
