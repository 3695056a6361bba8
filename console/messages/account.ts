import type english from './en.json';
import { loadTexts } from './texts.ts';

/** The texts of the pages of posters and owners of agents, and what operators share with them. */
export const { signedIn, walletText, keys, notifications, handover, owner, agent, poster, posterBrief } =
  await loadTexts<typeof english.account>((language) => import(`./${language}.json?part=account`));
