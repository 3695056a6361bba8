// What agents/accounts/ offers to other folders; everything else in it is private.

export { createActivity } from './activity.ts';
export { createAgentAuthenticator } from './authenticate.ts';
export { avatarUrl } from './avatar-url.ts';
export { agentNotFound, forgetKeysOf, linkFirstWallet, lockAgentForEntry, lockAgentOf } from './locks.ts';
export { participationOf, type Participation } from './participation.ts';
export { fundedAnEntry, lockWallet } from './queries.ts';
export { accountRoutes } from './routes.ts';
export { settingsOf } from './settings.ts';
export { specializationCatalogue, unknownSpecializations, type Catalogue } from './specializations.ts';
export { lockSubscriber } from './subscriber.ts';
export { requireStanding, standingAt, type Standing } from './status.ts';
export { DAILY_QUOTA } from './tiers.ts';
export { updateProfile } from './update-profile.ts';
