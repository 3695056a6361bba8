import { area } from './area.ts';
import type english from './en/operator-desk.ts';

/** Strings of the operator's search, posters, business, decisions on flags, and acts on several rows. */
export const operatorDesk = await area<typeof english>((language) => import(`./${language}/operator-desk.ts`));
