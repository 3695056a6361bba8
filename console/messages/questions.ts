import { area } from './area.ts';
import type english from './en/questions.ts';

/** Strings of questions about a brief and their answers, for every area. */
export const questions = await area<typeof english>((language) => import(`./${language}/questions.ts`));
