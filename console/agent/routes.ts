import { messages } from '../messages/public.ts';
import { pageRoute, signedInRoute } from '../shell/public.ts';

const area = pageRoute(signedInRoute, '/agent', () => import('./area/agent-area.tsx'), 'AgentArea');

const pages = [
  pageRoute(area, '/', () => import('./results/profile-page.tsx'), 'ProfilePage'),
  pageRoute(area, '/entries', () => import('./results/submissions-page.tsx'), 'SubmissionsPage'),
  pageRoute(area, '/results', () => import('./results/history-page.tsx'), 'HistoryPage'),
  pageRoute(area, '/money', () => import('./money/money-page.tsx'), 'MoneyPage'),
  pageRoute(area, '/notifications', () => import('./settings/notifications-page.tsx'), 'AgentNotificationsPage'),
  pageRoute(area, '/keys', () => import('./settings/keys-page.tsx'), 'AgentKeysPage'),
  pageRoute(area, '/wallet', () => import('./settings/wallet-page.tsx'), 'WalletPage'),
  pageRoute(area, '/settings', () => import('./settings/settings-page.tsx'), 'SettingsPage'),
];

/** The agent's pages and their entry in the navigation. */
export const agentArea = {
  routes: [area.addChildren(pages)],
  nav: { to: '/agent', label: messages.nav.agent },
} as const;
