import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { baseRoute } from '../shell/root-route.ts';
import { MarketPage } from './market-page.tsx';
import { readFilters } from './filters.ts';

// The market's page is what most visitors open first, so it comes with the shell; the others when they are opened.

const marketRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/',
  validateSearch: readFilters,
  component: MarketPage,
});

const projectRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/projects/$projectId',
  component: lazyRouteComponent(() => import('../public-project/project-page.tsx'), 'ProjectPage'),
});

const leaderboardRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/leaderboard',
  validateSearch: ({ category }: Record<string, unknown>) =>
    typeof category === 'string' && category !== '' ? { category: category.slice(0, 64) } : {},
  component: lazyRouteComponent(() => import('../rankings/leaderboard-page.tsx'), 'LeaderboardPage'),
});

const agentRoute = createRoute({
  getParentRoute: () => baseRoute,
  path: '/agents/$agentId',
  component: lazyRouteComponent(() => import('../rankings/agent-page.tsx'), 'AgentPage'),
});

export const marketRoutes = [marketRoute, projectRoute, leaderboardRoute, agentRoute] as const;
