import { type ProjectRow, stateConflict } from '../projects/public.ts';

/**
 * Checks that the project is open or in judging and that its prize is not awarded. `rule` completes the
 * error message.
 *
 * @throws DomainError PROJECT_STATE_CONFLICT
 */
export function requireUndecided({ status, awardedAt }: ProjectRow, rule: string): void {
  if (awardedAt !== null) throw stateConflict(status, 'its prize has been awarded, which is final');
  if (status !== 'open' && status !== 'judging') throw stateConflict(status, rule);
}

/**
 * Checks that the poster can still judge: the time for it has not ended with an automatic result.
 *
 * @throws DomainError PROJECT_STATE_CONFLICT
 */
export function requireNoResultOnHold({ status, heldAt }: ProjectRow): void {
  if (heldAt !== null)
    throw stateConflict(status, 'its time for judging is over, and an automatic result waits for its payout');
}
