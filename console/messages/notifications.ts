import { area } from './area.ts';
import type english from './en/notifications.ts';

/** Strings of the pages that show what happened, and where it is reported. */
export const notifications = await area<typeof english>((language) => import(`./${language}/notifications.ts`));
