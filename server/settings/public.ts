// settings/ offers the settings with their bounds and defaults, and the values that several of them give together. The rest
// is private.

// All settings, with their bounds and defaults. `scripts/docs.ts` writes docs/settings.md from them.
export { settings } from './settings.ts';
export type { Setting } from './setting.ts';
export { readSecretFiles } from './secret-files.ts';
// Values of the configuration that several settings give together, and what is wrong with them.
export { parseDatabaseUrl } from './database-url.ts';
export { facilitatorAuthOf } from './facilitator-settings.ts';
export { legalOf } from './legal-settings.ts';
export { limitsOf } from './limit-settings.ts';
export { oidcOf, oidcProblems } from './oidc-settings.ts';
export { siteSettingsOf, siteProblems } from './site-settings.ts';
export { type PlainHost, transportProblems, undecidedHosts } from './transport-problems.ts';
