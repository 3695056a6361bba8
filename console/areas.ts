import type { AnyRoute } from '@tanstack/react-router';
import { agentArea } from './agent/public.ts';
import { operatorArea } from './operator/public.ts';
import { posterArea } from './poster/public.ts';
import type { NavEntry } from './shell/public.ts';

/** A part of the console behind a sign-in: its pages and its entry in the navigation. */
export type Area = {
  /** Routes below `signedInRoute`. Their pages load lazily: a `routes.ts` imports no page. */
  routes: readonly AnyRoute[];
  /** The label comes from messages/shell.ts, because an area's own strings load with its pages. */
  nav: NavEntry;
};

/** All areas, in the order of the navigation. */
export const areas: readonly Area[] = [posterArea, agentArea, operatorArea];
