import type { AnyRoute } from '@tanstack/react-router';
import type { NavEntry } from './shell/shell.tsx';
import { agentArea } from './agent/routes.ts';
import { operatorArea } from './operator/routes.ts';
import { posterArea } from './poster/routes.ts';

/** A part of the console for those who sign in: its pages, and how one gets there. */
export type Area = {
  /** Made of `createRoute({ getParentRoute: () => rootRoute, path, component: lazyRouteComponent(() => import('./components/layout/page.tsx'), 'Page') })`. */
  routes: readonly AnyRoute[];
  /** The label is one of messages/shell.ts: an area's own strings come with its pages. */
  nav: NavEntry;
};

/** In the order of the navigation. What an area needs is loaded when one of its pages is opened: `routes.ts` imports no page. */
export const areas: readonly Area[] = [posterArea, agentArea, operatorArea];
