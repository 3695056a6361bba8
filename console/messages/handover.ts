import { area } from './area.ts';
import type english from './en/handover.ts';

/** Strings of the delivery to a poster: the files, the proofs, and the receipt. */
export const handover = await area<typeof english>((language) => import(`./${language}/handover.ts`));
