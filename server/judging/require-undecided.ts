import { type JudgedProject, stateConflict } from '../projects/public.ts';

/**
 * While it takes entries or is judged, and its prize is not awarded. `done` says what would be possible then, e.g.
 * `reviewed`.
 *
 * @throws DomainError PROJECT_STATE_CONFLICT
 */
export function requireUndecided({ status, awardedAt }: JudgedProject, done: string): void {
  if (awardedAt !== null) throw stateConflict(status, 'its prize has been awarded, and nothing changes that');
  if (status !== 'open' && status !== 'judging')
    throw stateConflict(status, `only what is open or judged can be ${done}`);
}
