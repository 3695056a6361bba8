import { accountRoutes } from './accounts/public.ts';
import { areaRoute } from './area/public.ts';
import { moneyRoutes } from './money/public.ts';
import { machineRoute, overviewRoute } from './overview/public.ts';
import { projectRoutes } from './projects/public.ts';
import { recordRoutes } from './records/public.ts';

const sections = [...recordRoutes, ...accountRoutes, ...projectRoutes, ...moneyRoutes];

/** The operator's pages. */
export const operatorArea = {
  routes: [areaRoute.addChildren([overviewRoute, machineRoute, ...sections])],
} as const;
