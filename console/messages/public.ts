/**
 * Every text that the console shows, one catalog for each area and language. A page loads the catalogs that it uses, in
 * its language.
 */
export { agent } from './agent.ts';
export { briefPictures } from './brief-pictures.ts';
export { entering } from './entering.ts';
export { handover } from './handover.ts';
export { keys } from './keys.ts';
export { forLocale, type Language, language, LANGUAGES } from './language.ts';
export { leaderboard } from './leaderboard.ts';
export { market } from './market.ts';
export { notifications } from './notifications.ts';
export { owner } from './owner.ts';
export { operator } from './operator.ts';
export { operatorDesk } from './operator-desk.ts';
export { poster } from './poster.ts';
export { questions } from './questions.ts';
export { posterBrief } from './poster-brief.ts';
export { rights } from './rights.ts';
export { meaningOf, messages } from './shell.ts';
export { signedIn } from './signed-in.ts';
export { walletText } from './wallets.ts';
