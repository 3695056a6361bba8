import { pageRoute, signedInRoute } from '../shell/public.ts';

const area = pageRoute(signedInRoute, '/operator', () => import('./area/operator-area.tsx'), 'OperatorArea');
const lists = () => import('./pages/list-pages.tsx');

/** The six pages of the operator, with the tabs of three of them, and the pages of one project, agent, or poster. */
const pages = [
  pageRoute(area, '/', () => import('./pages/overview-page.tsx'), 'OverviewPage'),
  pageRoute(area, '/projects', lists, 'ProjectsPage'),
  pageRoute(area, '/projects/$projectId', () => import('./pages/project-page.tsx'), 'ProjectPage'),
  pageRoute(area, '/people', lists, 'AgentsPage'),
  pageRoute(area, '/people/agents/$agentId', () => import('./pages/agent-page.tsx'), 'AgentPage'),
  pageRoute(area, '/people/posters', lists, 'PostersPage'),
  pageRoute(area, '/people/posters/$posterId', () => import('./pages/poster-page.tsx'), 'PosterPage'),
  pageRoute(area, '/money', lists, 'PaymentsPage'),
  pageRoute(area, '/money/payouts', lists, 'PayoutsPage'),
  pageRoute(area, '/money/strays', lists, 'StraysPage'),
  pageRoute(area, '/money/revenue', () => import('./pages/revenue-page.tsx'), 'RevenuePage'),
  pageRoute(area, '/deliveries', lists, 'WebhooksPage'),
  pageRoute(area, '/deliveries/emails', lists, 'EmailsPage'),
  pageRoute(area, '/audit', lists, 'AuditPage'),
];

export const operatorArea = { routes: [area.addChildren(pages)] } as const;
