import { createRootRouteWithContext } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { NotFoundPage } from './components/not-found-page.tsx';
import { Shell } from './components/shell.tsx';

/** What every route hangs on. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
});
