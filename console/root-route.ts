import { createRootRouteWithContext } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { NotFoundPage } from './components/not-found-page.tsx';

/** What every route hangs on. The router puts the shell into it: its navigation knows the areas, whose routes hang here. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  notFoundComponent: NotFoundPage,
});
