import { area } from './area.ts';
import type english from './en/keys.ts';

/** Strings of the pages of API keys. */
export const keys = await area<typeof english>((language) => import(`./${language}/keys.ts`));
