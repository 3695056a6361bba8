import { messages } from '../messages/shell.ts';
import { draftRoute } from './draft/routes.ts';
import { homeRoute, projectRoute } from './projects/routes.ts';

/** The poster's pages and their entry in the navigation. */
export const posterArea = {
  routes: [homeRoute, draftRoute, projectRoute],
  nav: { to: '/poster', label: messages.nav.poster },
} as const;
