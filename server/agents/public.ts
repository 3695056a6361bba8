// agents/ offers agents: their rows and locks, standings, wallets, sessions, and figures. The rest is private.

// Ranks and figures of agents, and the updates that keep them right.
export { refreshFigures, lockAgents, OVERALL } from './rankings/figures-queries.ts';
export { recordProjectResults, takeBackResults, moveWin, recordEarned } from './rankings/results.ts';

// Agents as rows: registration, profiles, settings, authentication by key, and the locks that other domains take.
export { linkFirstWallet, requireAgent } from './accounts/locks.ts';
export { isProvenForAnother, lockAgent, type AgentRow } from './accounts/queries.ts';
export {
  requireCategory,
  specializationCatalog,
  specializationFaults,
  type Catalog,
} from './accounts/specializations.ts';
export { drawAvatar } from './accounts/avatar.ts';
export { requireStanding } from './accounts/status.ts';
export { DAILY_QUOTA, settingsOf } from './accounts/settings.ts';
export { createAgentAuthenticator } from './accounts/authenticate.ts';

// Changes of an agent's standing, and its standing now.
export { lockActiveAgent, requireActiveNow, restrictionNow } from './standing/standing-now.ts';
export { recordFailedPaymentLimit } from './standing/failed-payments.ts';
export { endStandings } from './standing/end-standings.ts';

// Linked wallets: their operations, the job that makes changes take effect, and who owns a wallet.
export { agentsOfWallet, linkedWallet, isNoPayee } from './wallets/wallet-queries.ts';
export { applyWalletChanges } from './wallets/apply-wallet-changes.ts';

// agents/sessions/ offers the browser sessions of agents' owners: their operations, and authentication by cookie. The rest
// is private.
export { createAgentSessionAuthenticator } from './sessions/authenticate-session.ts';
