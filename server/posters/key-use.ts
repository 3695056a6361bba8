import type { Deps } from '../deps.ts';
import { createUseTimes, type UseTimes } from '../keys/public.ts';
import { updateLastUsed } from './key-queries.ts';

/** Records when each key of a poster was last used, by a request with the key or with a session that it started. */
export function createPosterKeyUse({ db, clock }: Pick<Deps, 'db' | 'clock'>): UseTimes {
  return createUseTimes(clock, (used) => updateLastUsed(db, used));
}
