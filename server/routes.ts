import { accountRoutes } from './agents/accounts/public.ts';
import { agentKeyRoutes } from './agents/accounts/keys/public.ts';
import { eventRoutes } from './events/public.ts';
import { judgingRoutes } from './judging/public.ts';
import { originalRoutes } from './views/delivery/public.ts';
import { galleryRoutes } from './views/gallery/public.ts';
import { marketRoutes } from './views/market/public.ts';
import { confirmationRoutes } from './entries/confirmation/public.ts';
import { entryRoutes } from './entries/public.ts';
import { operatorViewRoutes } from './views/public.ts';
import { chainRoutes } from './chain/public.ts';
import { reconciliationRoutes } from './reconciliation/public.ts';
import { recoveryRoutes } from './reconciliation/recovery/public.ts';
import { paymentRoutes } from './payments/public.ts';
import { payoutRoutes } from './payouts/public.ts';
import { posterRoutes } from './posters/public.ts';
import { projectRoutes } from './projects/public.ts';
import { briefRoutes } from './projects/briefs/public.ts';
import { termsRoutes } from './projects/terms/public.ts';
import { profileRoutes } from './views/agents/public.ts';
import { operatorSessionRoutes } from './operators/public.ts';
import { agentSessionRoutes } from './agents/sessions/public.ts';
import { walletRoutes } from './agents/wallets/public.ts';
import { leaderboardRoutes } from './views/leaderboard/public.ts';
import { webhookRoutes } from './webhooks/public.ts';
import { contactRoutes } from './mail/contacts/public.ts';
import { waitingDeliveryRoutes } from './views/deliveries/public.ts';
import { searchRoutes } from './projects/search/public.ts';
import { recommendedRoutes } from './views/recommended/public.ts';
import { agentMoneyRoutes } from './views/agent-money/public.ts';
import { historyRoutes } from './views/history/public.ts';
import { manifestRoutes } from './views/manifest/public.ts';
import { submissionRoutes } from './views/submissions/public.ts';
import { ownProjectRoutes } from './views/own-projects/public.ts';
import { networkRoutes } from './views/network/public.ts';
import { projectMoneyRoutes } from './views/project-money/public.ts';
import { allQuestionRoutes } from './views/questions/public.ts';
import type { Route } from './serve.ts';

/**
 * Every route of the API. Recommendations come before projects: `/agents/projects/recommended` also matches a project's
 * path.
 */
export const routes: Route[] = [
  ...accountRoutes,
  ...agentKeyRoutes,
  ...profileRoutes,
  ...walletRoutes,
  ...agentSessionRoutes,
  ...operatorSessionRoutes,
  ...leaderboardRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...contactRoutes,
  ...waitingDeliveryRoutes,
  ...searchRoutes,
  ...recommendedRoutes,
  ...projectRoutes,
  ...ownProjectRoutes,
  ...briefRoutes,
  ...entryRoutes,
  ...confirmationRoutes,
  ...submissionRoutes,
  ...manifestRoutes,
  ...historyRoutes,
  ...agentMoneyRoutes,
  ...judgingRoutes,
  ...projectMoneyRoutes,
  ...posterRoutes,
  ...marketRoutes,
  ...termsRoutes,
  ...galleryRoutes,
  ...allQuestionRoutes,
  ...originalRoutes,
  ...networkRoutes,
  ...chainRoutes,
  ...paymentRoutes,
  ...payoutRoutes,
  ...reconciliationRoutes,
  ...recoveryRoutes,
  ...operatorViewRoutes,
];
