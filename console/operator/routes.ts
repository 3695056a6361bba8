import { areaRoute } from './area/public.ts';
import { moneyRoutes } from './money/public.ts';
import { machineRoute, overviewRoute } from './overview/public.ts';
import { peopleRoutes } from './people/public.ts';
import { recordRoutes } from './records/public.ts';

/** The operator's pages. */
export const operatorArea = {
  routes: [areaRoute.addChildren([overviewRoute, machineRoute, ...recordRoutes, ...moneyRoutes, ...peopleRoutes])],
} as const;
