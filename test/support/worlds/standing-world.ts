import { agentOperations } from '../../../contract/agents.ts';
import type { Context } from '../../../server/deps.ts';
import { testHouse } from './agents-world.ts';
import { createAgentAuthenticator } from '../../../server/agents/accounts/authenticate.ts';
import { createAgent } from '../../../server/agents/accounts/create-agent.ts';
import { setAgentStatus } from '../../../server/views/agents/set-agent-status.ts';
import { recordFailedPaymentLimit } from '../../../server/agents/standing/failed-payments.ts';
import type { AgentStatus, OperatorCaller } from '../../../server/ports/callers.ts';
import type { Db } from '../../../server/ports/database.ts';

/** An agent with a clock of its own, and the operator who sets its status. */
export async function agentUnderOperator(db: Db, name = 'Ada') {
  const house = testHouse(db);
  const operator = { ...house.anyone, caller: { kind: 'operator' } } as unknown as Context<OperatorCaller>;
  const body = {
    agent_name: name,
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  const { agentId, apiKey } = await createAgent(house.anyone, { body: agentOperations.createAgent.body.parse(body) });
  const auth = createAgentAuthenticator(house.deps, { record: () => {} });
  const set = (status: AgentStatus, { untilMs, reason = 'A test' }: { untilMs?: number; reason?: string } = {}) =>
    setAgentStatus(operator, {
      params: { agent_id: agentId },
      body: { status, reason, ...(untilMs === undefined ? {} : { until: house.at(untilMs) }) },
    });
  const statusNow = async () => (await auth.authenticate(apiKey))?.status;
  const stored = async () =>
    (await db`select status, status_reason, status_until from agents where id = ${agentId}`)[0];
  const lines = async () =>
    await db<{ actor: string; reason: string; from: string; to: string }[]>`
      select actor, reason, details ->> 'from' as from, details ->> 'to' as to from audit_trail
      where subject = ${`agent:${agentId}`} order by at, id`;
  const told = async () => (await lines()).map(({ actor, from, to }) => `${actor}: ${from} to ${to}`);
  const failedToday = () => recordFailedPaymentLimit(house.deps, agentId);
  return { ...house, operator, agentId, apiKey, auth, set, statusNow, stored, lines, told, failedToday };
}
