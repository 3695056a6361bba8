import { area } from './area.ts';
import type english from './en/poster.ts';

/** Strings for posters. */
export const poster = await area<typeof english>((language) => import(`./${language}/poster.ts`));
