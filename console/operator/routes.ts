import { messages } from '../messages/shell.ts';
import { areaRoute } from './area/area-route.ts';
import { moneyRoutes } from './money/routes.ts';
import { overviewRoute } from './overview/routes.ts';
import { recordRoutes } from './records/routes.ts';

/** The operator's pages and their entry in the navigation. */
export const operatorArea = {
  routes: [areaRoute.addChildren([overviewRoute, ...recordRoutes, ...moneyRoutes])],
  nav: { to: '/operator', label: messages.nav.operator },
} as const;
