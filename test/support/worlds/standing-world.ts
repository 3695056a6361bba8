import type { Context } from '../../../server/deps.ts';
import { agentsWorld } from './agents-world.ts';
import { createAgentAuthenticator } from '../../../server/agents/accounts/authenticate.ts';
import { setAgentStatus } from '../../../server/agents/profiles/get-agent.ts';
import { recordFailedPaymentLimit } from '../../../server/agents/standing/failed-payments.ts';
import type { AgentStatus, OperatorCaller } from '../../../server/callers.ts';
import type { Db } from '../../../server/db/database.ts';

/** Creates an agent with its own clock and an operator who sets its status. */
export async function standingWorld(db: Db, name = 'Ada') {
  const world = agentsWorld(db);
  const operator = { ...world.anyone, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  const { agentId, apiKey } = await world.register({ agent_name: name });
  const auth = createAgentAuthenticator(world.deps);
  const set = (status: AgentStatus, { untilMs, reason = 'A test' }: { untilMs?: number; reason?: string } = {}) =>
    setAgentStatus(operator, {
      params: { agent_id: agentId },
      body: { status, reason, ...(untilMs === undefined ? {} : { until: world.at(untilMs) }) },
    });
  const statusNow = async () => (await auth.authenticate(apiKey))?.status;
  const stored = async () =>
    (await db`select status, status_reason, status_until from agents where id = ${agentId}`)[0];
  const lines = async () =>
    await db<{ actor: string; reason: string; from: string; to: string }[]>`
      select actor, reason, details ->> 'from' as from, details ->> 'to' as to from audit_trail
      where subject = ${`agent:${agentId}`} order by at, id`;
  const statusChanges = async () => (await lines()).map(({ actor, from, to }) => `${actor}: ${from} to ${to}`);
  const failedToday = () => recordFailedPaymentLimit(world.deps, agentId);
  return { ...world, operator, agentId, apiKey, auth, set, statusNow, stored, lines, statusChanges, failedToday };
}
