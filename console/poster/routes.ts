import { messages } from '../messages/public.ts';
import { draftRoute } from './draft/public.ts';
import { receiptRoute } from './handover/public.ts';
import { keysRoute } from './keys/public.ts';
import { notificationsRoute } from './notifications/public.ts';
import { homeRoute, projectRoute } from './projects/public.ts';

/** The poster's pages and their entry in the navigation. */
export const posterArea = {
  routes: [homeRoute, notificationsRoute, keysRoute, draftRoute, projectRoute, receiptRoute],
  nav: { to: '/poster', label: messages.nav.poster },
} as const;
