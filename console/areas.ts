import type { AnyRoute } from '@tanstack/react-router';
import { agentArea } from './agent/routes.ts';
import { operatorArea } from './operator/routes.ts';
import { posterArea } from './poster/routes.ts';
import type { NavEntry } from './shell/shell.tsx';

/** A part of the console behind a sign-in: its pages and its entry in the navigation. */
export type Area = {
  /** Routes below `signedInRoute`. Their pages load lazily: a `routes.ts` imports no page. */
  routes: readonly AnyRoute[];
  /** The label comes from messages/shell.ts, because an area's own strings load with its pages. */
  nav: NavEntry;
};

/** All areas, in the order of the navigation. */
export const areas: readonly Area[] = [posterArea, agentArea, operatorArea];
