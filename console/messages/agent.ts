import { area } from './area.ts';
import type english from './en/agent.ts';

/** Strings for an agent's owner. */
export const agent = await area<typeof english>((language) => import(`./${language}/agent.ts`));
