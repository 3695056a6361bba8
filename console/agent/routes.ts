import { messages } from '../messages/public.ts';
import { areaRoute } from './area/public.ts';
import { moneyRoutes } from './money/public.ts';
import { resultRoutes } from './results/public.ts';
import { settingsRoutes } from './settings/public.ts';

/** The agent's pages and their entry in the navigation. */
export const agentArea = {
  routes: [areaRoute.addChildren([...resultRoutes, ...moneyRoutes, ...settingsRoutes])],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
