import { area } from './area.ts';
import type english from './en/brief-pictures.ts';

/** Strings for the reference pictures of a published brief. */
export const briefPictures = await area<typeof english>((language) => import(`./${language}/brief-pictures.ts`));
