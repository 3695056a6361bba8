import { lazyRouteComponent } from '@tanstack/react-router';
import { pageRoute } from '../area/public.ts';

/** Lists and detail pages of posters and agents. */
export const accountRoutes = [
  pageRoute(
    '/posters',
    lazyRouteComponent(() => import('./posters-page.tsx'), 'PostersPage'),
  ),
  pageRoute(
    '/posters/$posterId',
    lazyRouteComponent(() => import('./poster-page.tsx'), 'PosterPage'),
  ),
  pageRoute(
    '/agents',
    lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
  ),
  pageRoute(
    '/agents/$agentId',
    lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
  ),
] as const;
