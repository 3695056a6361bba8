import { area } from './area.ts';
import type english from './en/shell.ts';

/** Strings that every page may use. */
export const messages = await area<typeof english>((language) => import(`./${language}/shell.ts`));
