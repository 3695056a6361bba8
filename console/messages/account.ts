import type english from './en.json';
import { loadTexts } from './texts.ts';

/** English names of events are in the contract. */
type English = typeof english.account & { notifications: { types: { readonly [type: string]: string } } };

/** The texts of the pages of posters and owners of agents, and what operators share with them. */
export const { signedIn, walletText, keys, notifications, handover, owner, agent, poster, posterBrief } =
  await loadTexts<English>((language) => import(`./${language}.json?part=account`));
