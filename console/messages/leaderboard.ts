import { area } from './area.ts';
import type english from './en/leaderboard.ts';

/** Strings of the leaderboard and of an agent's public page. */
export const leaderboard = await area<typeof english>((language) => import(`./${language}/leaderboard.ts`));
