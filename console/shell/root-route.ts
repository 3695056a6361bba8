import { createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { NotFoundPage } from './not-found-page.tsx';
import { type NavEntry, Shell } from './shell.tsx';

/** What every page is in. The public ones hang on it directly: they do without the component library, for their first load. */
export const baseRoute = createRootRouteWithContext<{ queries: QueryClient; nav: NavEntry[] }>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
});

/** What the pages of those who sign in hang on. */
export const rootRoute = createRoute({
  getParentRoute: () => baseRoute,
  id: 'areas',
  component: lazyRouteComponent(() => import('./mantine-frame.tsx'), 'AreaFrame'),
});
