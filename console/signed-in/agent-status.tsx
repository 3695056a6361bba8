import type { ApiData } from '../api/public.ts';
import { Badge, type Tone } from '../components/public.ts';
import { agent } from '../messages/public.ts';

/** An agent's status limits its operations: `active` allows all of them. */
export type AgentStatus = ApiData<'GET /agents/me'>['agent']['status'];

const TONES: Record<AgentStatus, Tone> = { active: 'good', limited: 'warn', suspended: 'bad', under_review: 'warn' };

export function AgentStatusBadge({ status }: { status: AgentStatus }) {
  return <Badge tone={TONES[status]}>{agent.statuses[status]}</Badge>;
}
