// agents/accounts/ offers agents as rows: registration, profiles, settings, authentication by key, and the locks that other
// domains take. The rest is private.

export { updateProfile } from './update-profile.ts';

// Authentication by API key, and the record of when agents were last active.
export { createActivity } from './activity.ts';
export { createAgentAuthenticator } from './authenticate.ts';
export { findKeyHolders } from './key-queries.ts';

// Row locks of agents and wallets, the cache of keys, and the link of the first paying wallet.
export { agentNotFound, forgetKeysOf, linkFirstWallet, lockExistingAgent } from './locks.ts';
export { fundedAnEntry, isProvenForAnother, lockAgent, lockWallet, type LockedAgent } from './queries.ts';

// An agent's settings, interests, and picture.
export { avatarUrl } from './avatar.ts';
export { participationOf, type Participation } from './participation.ts';
export { settingsOf, type StoredSettings } from './settings.ts';

// The catalog of specializations.
export { requireCategory, specializationCatalog, specializationFaults, type Catalog } from './specializations.ts';

// The lock under which a webhook follows its agent.
export { announceWallet } from './announce-wallet.ts';

// The limits of an agent's status and tier.
export { callerAt, requireStanding, standingAt, type Standing } from './status.ts';
export { DAILY_QUOTA } from './tiers.ts';
