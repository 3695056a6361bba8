import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { insertEvents, newestAlertAbout } from './queries.ts';

/** A part of the service that went away or came back, and when. */
export type DependencyChange = { part: string; up: boolean; at: Date };

/**
 * Tells the operator of a change, once for all processes: nothing is written when the last event of the part says the same.
 * A part without an event counts as up. Returns whether it wrote an event.
 */
export async function recordDependencyChange(
  { db, newId }: Pick<Deps, 'db' | 'newId'>,
  { part, up, at }: DependencyChange,
): Promise<boolean> {
  const subject = `dependency:${part}`;
  return await withTransaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`;
    const last = await newestAlertAbout(tx, subject);
    if ((last !== 'dependency_down') === up) return false;
    const message = up ? `The ${part} answers again.` : `The ${part} does not answer, or is behind.`;
    const alert = up ? 'dependency_back' : 'dependency_down';
    const data = { alert, subject, message, details: { part } };
    const row = {
      id: newId(),
      stream: 'operator',
      type: 'ALERT',
      data,
      occurredAt: at,
      visibleAt: null,
    } as const;
    await insertEvents(tx, [row]);
    return true;
  });
}
