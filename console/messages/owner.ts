import { area } from './area.ts';
import type english from './en/owner.ts';

/** Strings of the owner's sign-in and sessions, and of what an owner does next. */
export const owner = await area<typeof english>((language) => import(`./${language}/owner.ts`));
