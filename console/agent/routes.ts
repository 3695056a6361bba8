import { messages } from '../messages/shell.ts';
import { areaRoute } from './area/area-route.ts';
import { resultRoutes } from './results/routes.ts';
import { settingsRoutes } from './settings/routes.ts';

/** The agent's pages and their entry in the navigation. */
export const agentArea = {
  routes: [areaRoute.addChildren([...resultRoutes, ...settingsRoutes])],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
