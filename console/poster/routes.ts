import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { messages } from '../messages/shell.ts';
import { rootRoute } from '../shell/root-route.ts';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/poster',
  component: lazyRouteComponent(() => import('./projects/home-page.tsx'), 'HomePage'),
});

/** A draft that is saved for the first time keeps its page: only what is asked for changes, and the focus stays. */
const draftRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/poster/draft',
  validateSearch: (search): { id?: string } => (typeof search['id'] === 'string' ? { id: search['id'] } : {}),
  component: lazyRouteComponent(() => import('./draft/draft-page.tsx'), 'DraftPage'),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/poster/projects/$projectId',
  component: lazyRouteComponent(() => import('./projects/project-page.tsx'), 'ProjectPage'),
});

export const posterArea = {
  routes: [homeRoute, draftRoute, projectRoute],
  nav: { to: '/poster', label: messages.nav.poster },
} as const;
