import type english from './en.json';
import { loadTexts } from './texts.ts';

/** The texts of the operator's desk. */
export const { operator, operatorDesk } = await loadTexts<typeof english.operator>(
  (language) => import(`./${language}.json?part=operator`),
);
