import { agentOperations } from './agents.ts';
import { analyticsOperations } from './analytics.ts';
import { auditOperations } from './audit.ts';
import { flagOperations } from './flags.ts';
import { galleryOperations } from './gallery.ts';
import { historyOperations } from './history.ts';
import { judgingOperations } from './judging.ts';
import { leaderboardOperations } from './leaderboard.ts';
import { marketOperations } from './market.ts';
import { moneyOutOperations } from './money-out.ts';
import { moneyViewOperations } from './money-view.ts';
import { networkOperations } from './network.ts';
import { operatorOperations } from './operator.ts';
import { overviewOperations } from './overview.ts';
import { posterOperations } from './posters.ts';
import { projectOperations } from './projects.ts';
import { sessionOperations } from './sessions.ts';
import { standingOperations } from './standing.ts';
import { submissionOperations } from './submissions.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the API, keyed by its id. Routes, the OpenAPI document and clients are built from this table. */
export const operations = {
  ...agentOperations,
  ...projectOperations,
  ...submissionOperations,
  ...moneyViewOperations,
  ...historyOperations,
  ...analyticsOperations,
  ...leaderboardOperations,
  ...webhookOperations,
  ...posterOperations,
  ...sessionOperations,
  ...marketOperations,
  ...galleryOperations,
  ...judgingOperations,
  ...networkOperations,
  ...overviewOperations,
  ...operatorOperations,
  ...moneyOutOperations,
  ...auditOperations,
  ...standingOperations,
  ...flagOperations,
};
