import type { QueryClient } from '@tanstack/react-query';
import { type AnyRoute, createRootRouteWithContext, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { NotFoundPage } from './not-found-page.tsx';
import type { NavEntry } from './navigation.tsx';
import { Shell } from './shell.tsx';

/** Parent of every page. Public pages are its direct children, so they load without the component library. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient; nav: NavEntry[] }>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
});

/** Parent of the pages behind a sign-in: it loads the component library. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'areas',
  component: lazyRouteComponent(() => import('./mantine-frame.tsx'), 'MantineFrame'),
});

/** A page behind a sign-in, whose code loads when it opens. `path` is relative to `parent`; `search` reads the rest. */
export function pageRoute<Name extends string>(
  parent: AnyRoute,
  path: string,
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: Name,
  search?: (search: Record<string, unknown>) => object,
) {
  const component = lazyRouteComponent(load, name);
  return createRoute({ getParentRoute: () => parent, path, component, ...(search ? { validateSearch: search } : {}) });
}
