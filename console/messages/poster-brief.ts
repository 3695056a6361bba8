import { area } from './area.ts';
import type english from './en/poster-brief.ts';

/** Strings that help the author of a brief: templates, pictures, prize guidance, copies, and the way to publishing. */
export const posterBrief = await area<typeof english>((language) => import(`./${language}/poster-brief.ts`));
