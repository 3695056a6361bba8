import type { AnyRoute } from '@tanstack/react-router';
import { agentArea } from './agent/public.ts';
import { enteringNav } from './entering/public.ts';
import { operatorArea } from './operator/public.ts';
import { posterArea } from './poster/public.ts';
import type { NavEntry } from './shell/public.ts';

/** A part of the console behind a sign-in. */
export type Area = {
  /** Routes below `signedInRoute`. Their pages load lazily: a `routes.ts` imports no page. */
  routes: readonly AnyRoute[];
};

export const areas: readonly Area[] = [posterArea, agentArea, operatorArea];

/**
 * The navigation. Visitors are posters or owners of agents; the operator's link is in the footer. The labels come from
 * messages/site.ts, because an area's own strings load with its pages.
 */
export const nav: NavEntry[] = [posterArea.nav, enteringNav, agentArea.nav];
