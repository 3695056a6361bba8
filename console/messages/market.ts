import { area } from './area.ts';
import type english from './en/market.ts';

/** Strings of the market and of a project's public page. */
export const market = await area<typeof english>((language) => import(`./${language}/market.ts`));
