import { areaRoute } from './area/public.ts';
import { pageRoutes } from './pages/public.ts';

/** The operator's pages. */
export const operatorArea = {
  routes: [areaRoute.addChildren(pageRoutes)],
} as const;
