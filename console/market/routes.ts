import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../shell/public.ts';
import { readFilters } from './filters.ts';
import { MarketPage } from './market-page.tsx';

/** The market is the page that most visitors open first, so its code loads together with the shell. */
export const marketRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: readFilters,
  component: MarketPage,
});
