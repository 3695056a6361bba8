import { createRouter } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { areas } from './areas.ts';
import { CrashPage } from './components/crash-page.tsx';
import { PendingPage } from './components/pending-page.tsx';
import { Shell } from './components/shell.tsx';
import { marketRoutes } from './market/routes.ts';
import { rootRoute } from './root-route.ts';

rootRoute.update({ component: Shell });
const routeTree = rootRoute.addChildren([...marketRoutes, ...areas.flatMap(({ routes }) => routes)]);

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    // Answers are the query cache's to keep.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: CrashPage,
    defaultPendingComponent: PendingPage,
  });
}
