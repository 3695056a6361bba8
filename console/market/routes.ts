import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root-route.ts';
import { MarketPage } from './market-page.tsx';
import { readFilters } from './filters.ts';

// The market's page is what most visitors open first, so it comes with the shell; the others when they are opened.

const marketRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readFilters,
  component: MarketPage,
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('./project-page.tsx'), 'ProjectPage'),
});

export const marketRoutes = [marketRoute, projectRoute] as const;
