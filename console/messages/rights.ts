import { area } from './area.ts';
import type english from './en/rights.ts';

/** Strings about licenses, galleries, and terms, for every area. */
export const rights = await area<typeof english>((language) => import(`./${language}/rights.ts`));
