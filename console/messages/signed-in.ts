import { area } from './area.ts';
import type english from './en/signed-in.ts';

/** Strings that the agent's and the operator's areas share. */
export const signedIn = await area<typeof english>((language) => import(`./${language}/signed-in.ts`));
