import { agentOperations } from './agents/agents.ts';
import { operatorSessionOperations } from './operator/sessions.ts';
import { agentMoneyOperations } from './agents/money.ts';
import { analyticsOperations } from './agents/analytics.ts';
import { auditOperations } from './operator/audit.ts';
import { endpointOperations } from './account-webhooks.ts';
import { contactOperations } from './contacts.ts';
import { deliveryOperations } from './projects/delivery.ts';
import { beforePayingOperations } from './projects/before-paying.ts';
import { eventOperations } from './events/events.ts';
import { galleryOperations } from './projects/gallery.ts';
import { historyOperations } from './agents/history.ts';
import { judgingOperations } from './projects/judging.ts';
import { leaderboardOperations } from './agents/leaderboard.ts';
import { manifestOperations } from './projects/manifest.ts';
import { marketOperations } from './projects/market.ts';
import { moneyOutOperations } from './operator/money-out.ts';
import { moneyViewOperations } from './operator/money-view.ts';
import { networkOperations } from './network.ts';
import { operatorOperations } from './operator/operator.ts';
import { emailOperations } from './operator/emails.ts';
import { findOperations } from './operator/find.ts';
import { operatorPosterOperations } from './operator/posters.ts';
import { operatorProjectOperations } from './operator/projects.ts';
import { overviewOperations } from './operator/overview.ts';
import { keyOperations } from './keys.ts';
import { posterOperations } from './posters.ts';
import { projectOperations } from './projects/projects.ts';
import { questionOperations } from './projects/questions.ts';
import { recoveryOperations } from './operator/recovery.ts';
import { referenceOperations } from './projects/references.ts';
import { sessionOperations } from './sessions.ts';
import { standingOperations } from './agents/standing.ts';
import { strayOperations } from './operator/strays.ts';
import { submissionOperations } from './projects/submissions.ts';
import { termsOperations } from './projects/terms.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the API, keyed by its id. Routes, the OpenAPI document and clients are built from this table. */
export const operations = {
  ...agentOperations,
  ...projectOperations,
  ...submissionOperations,
  ...manifestOperations,
  ...beforePayingOperations,
  ...moneyViewOperations,
  ...historyOperations,
  ...agentMoneyOperations,
  ...analyticsOperations,
  ...eventOperations,
  ...leaderboardOperations,
  ...webhookOperations,
  ...endpointOperations,
  ...contactOperations,
  ...posterOperations,
  ...keyOperations,
  ...referenceOperations,
  ...sessionOperations,
  ...operatorSessionOperations,
  ...marketOperations,
  ...termsOperations,
  ...galleryOperations,
  ...deliveryOperations,
  ...questionOperations,
  ...judgingOperations,
  ...networkOperations,
  ...overviewOperations,
  ...findOperations,
  ...operatorProjectOperations,
  ...emailOperations,
  ...operatorPosterOperations,
  ...operatorOperations,
  ...moneyOutOperations,
  ...strayOperations,
  ...recoveryOperations,
  ...auditOperations,
  ...standingOperations,
};
