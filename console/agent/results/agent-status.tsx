import { Badge, type Tone } from '../../components/values/status-badge.tsx';
import { timeOf } from '../../format/format.ts';
import { Banner } from '../../components/data/stats.tsx';
import { agent } from '../../messages/agent.ts';
import type { Profile } from '../area/agent-store.ts';

type Status = Profile['agent']['status'];

const TONES: Record<Status, Tone> = { active: 'good', limited: 'warn', suspended: 'bad', under_review: 'warn' };

export function AgentStatus({ status }: { status: Status }) {
  return <Badge tone={TONES[status]}>{agent.statuses[status]}</Badge>;
}

/** Says why an agent may do less than others, and until when. */
export function Standing({ of: { status, statusReason, statusUntil } }: { of: Profile['agent'] }) {
  if (status === 'active') return null;
  const text = agent.standing;
  return (
    <Banner tone={status === 'suspended' ? 'bad' : 'warn'} title={text[status]}>
      {statusReason ? <p>{text.reason(statusReason)}</p> : null}
      <p>{statusUntil ? text.until(timeOf(statusUntil)) : text.open}</p>
    </Banner>
  );
}
