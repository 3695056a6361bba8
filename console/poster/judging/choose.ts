import type { Entry } from './entry-requests.ts';
import type { Judge } from './use-judge.ts';

/** Asks for the choice of this entry, if it can win. */
export function choose({ choice }: Judge, entry: Entry): void {
  if (entry.disqualified_at === null) choice?.choose(entry);
}
