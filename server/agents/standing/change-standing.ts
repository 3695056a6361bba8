import { type Audited, recordAudits } from '../../audit/public.ts';
import type { Deps } from '../../deps.ts';
import { silence } from '../../webhooks/endpoints/public.ts';
import { type Standing, standingAt } from '../accounts/public.ts';
import { lockStanding, updateStanding } from './queries.ts';
import type { Tx } from '../../ports/database.ts';

export const STATUS_ACTION = 'agent.set_status';

export type StandingChange = { agentId: string; actor: 'operator' | 'system' | 'timer'; reason: string; at: Date };

/**
 * Gives an agent another standing, with its line in the audit trail and what it means for its webhook, in one transaction.
 * `decide` is asked with the standing as it is, the agent's row locked; null leaves it so.
 *
 * @returns the standing afterwards; null when there is no such agent
 */
export async function changeStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, actor, reason, at }: StandingChange,
  decide: (current: Standing) => Pick<Standing, 'status' | 'until'> | null,
): Promise<Standing | null> {
  const stored = await lockStanding(tx, agentId);
  if (!stored) return null;
  const current = standingAt(stored, at);
  const decided = decide(current);
  if (!decided) return current;
  const next: Standing = { ...decided, reason: decided.status === 'active' ? null : reason };
  const lines = [
    // The timer has not been here yet: the trail tells what was so, and when.
    ...(current === stored ? [] : [ended(agentId, stored, stored.until ?? at)]),
    lineOf({ agentId, actor, reason, at }, current, next),
  ];
  await writeStanding(deps, tx, { agentId, next, lines });
  return next;
}

/** What is over becomes active; the caller has locked the row. */
export async function endStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, ...stored }: Standing & { agentId: string },
  at: Date,
): Promise<void> {
  const next: Standing = { status: 'active', reason: null, until: null };
  await writeStanding(deps, tx, { agentId, next, lines: [ended(agentId, stored, at)] });
}

async function writeStanding(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, next, lines }: { agentId: string; next: Standing; lines: Audited[] },
): Promise<void> {
  await Promise.all([
    updateStanding(tx, agentId, next),
    silence(tx, agentId, next.status === 'suspended' ? (next.until ?? 'forever') : null),
    recordAudits(deps, tx, lines),
  ]);
}

function ended(agentId: string, { status, until }: Standing, at: Date): Audited {
  const reason = `it was ${status} until ${until?.toISOString()}`;
  return lineOf({ agentId, actor: 'timer', reason, at }, { status }, { status: 'active', until: null });
}

function lineOf(
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
