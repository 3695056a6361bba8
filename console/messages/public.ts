/** Every text that the console shows: `<language>.json`. A page loads the parts that it uses, in its language. */
export { agent, handover, keys, notifications, owner, poster, posterBrief, signedIn, walletText } from './account.ts';
export { forLocale, type Language, language, LANGUAGES } from './language.ts';
export { operator, operatorDesk } from './operator.ts';
export {
  briefParts,
  briefPictures,
  entering,
  leaderboard,
  market,
  meaningOf,
  messages,
  questions,
  rights,
} from './site.ts';
