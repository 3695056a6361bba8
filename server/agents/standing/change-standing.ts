import { type Audited, recordAudits } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import { type Standing, standingAt } from '../accounts/status.ts';
import { lockAgent } from '../accounts/queries.ts';
import { type DatedStanding, updateStanding } from './queries.ts';
import type { Tx } from '../../db/database.ts';

/** The action of a status change in the audit trail. */
export const STATUS_ACTION = 'agent.set_status';

export type StandingChange = { agentId: string; actor: 'operator' | 'system' | 'timer'; reason: string; at: Date };

/**
 * Changes an agent's standing, and writes the audit entry, in one transaction. Locks the
 * agent's row and calls `decide` with the current standing. If `decide` returns null, nothing changes.
 *
 * @returns the standing afterwards, or null if the agent does not exist
 */
export async function changeStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, actor, reason, at }: StandingChange,
  decide: (current: Standing) => Pick<Standing, 'status' | 'until'> | null,
): Promise<Standing | null> {
  const stored = await lockAgent(tx, agentId);
  if (!stored) return null;
  const current = standingAt(stored, at);
  const decided = decide(current);
  if (!decided) return current;
  const active = decided.status === 'active';
  // From one restriction to another, the agent has not been active since the first.
  const since = current.status === 'active' ? at : stored.since;
  const next: DatedStanding = { ...decided, reason: active ? null : reason, since: active ? null : since };
  const lines = [
    // A restriction has expired and the timer has not recorded its end yet. Record both changes in the audit trail.
    ...(current === stored ? [] : [expiryLine(agentId, stored, stored.until ?? at)]),
    auditLine({ agentId, actor, reason, at }, current, next),
  ];
  await writeStanding(deps, tx, { agentId, previous: current.status, next, lines, at });
  return next;
}

/** Sets an expired standing back to active. The caller holds the row lock. */
export async function endStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, ...stored }: Standing & { agentId: string },
  at: Date,
): Promise<void> {
  const next: DatedStanding = { status: 'active', reason: null, until: null, since: null };
  await writeStanding(deps, tx, {
    agentId,
    previous: stored.status,
    next,
    lines: [expiryLine(agentId, stored, at)],
    at,
  });
}

type Written = { agentId: string; previous: Standing['status']; next: DatedStanding; lines: Audited[]; at: Date };

async function writeStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, previous, next, lines, at }: Written,
): Promise<void> {
  const { status, reason, until } = next;
  const data = { status, previous, reason, until: until?.toISOString() ?? null };
  await Promise.all([
    updateStanding(tx, agentId, next),
    recordAudits(deps, tx, lines),
    recordEvents(deps, tx, at, [{ agent: agentId, type: 'STATUS.CHANGED', data }]),
  ]);
}

function expiryLine(agentId: string, { status, until }: Standing, at: Date): Audited {
  const reason = `The status ${status} ended at ${until?.toISOString()}.`;
  return auditLine({ agentId, actor: 'timer', reason, at }, { status }, { status: 'active', until: null });
}

function auditLine(
  { agentId, actor, reason, at }: StandingChange,
  from: Pick<Standing, 'status'>,
  to: Pick<Standing, 'status' | 'until'>,
): Audited {
  return {
    at,
    actor,
    action: STATUS_ACTION,
    subject: `agent:${agentId}`,
    reason,
    details: { from: from.status, to: to.status, until: to.until?.toISOString() ?? null },
  };
}
