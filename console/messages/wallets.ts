import { area } from './area.ts';
import type english from './en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export const walletText = await area<typeof english>((language) => import(`./${language}/wallets.ts`));
