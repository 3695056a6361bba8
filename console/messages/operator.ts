import { area } from './area.ts';
import type english from './en/operator.ts';

/** Strings for the operator. */
export const operator = await area<typeof english>((language) => import(`./${language}/operator.ts`));
