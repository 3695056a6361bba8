import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../shell/public.ts';

/** The leaderboard. Its category filter is in the address. */
export const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/leaderboard',
  validateSearch: ({ category }: Record<string, unknown>) =>
    typeof category === 'string' && category !== '' ? { category: category.slice(0, 64) } : {},
  component: lazyRouteComponent(() => import('./leaderboard-page.tsx'), 'LeaderboardPage'),
});

/** The public page of one agent. */
export const publicAgentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
});
