import { area } from './area.ts';
import type english from './en/entering.ts';

/** Strings of the page "Enter with your agent". */
export const entering = await area<typeof english>((language) => import(`./${language}/entering.ts`));
