import { Banner } from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import type { Profile } from '../area/agent-store.ts';

/** Says why the agent is restricted, and until when. */
export function RestrictionNotice({ of: { status, statusReason, statusUntil } }: { of: Profile['agent'] }) {
  if (status === 'active') return null;
  const text = agent.restriction;
  return (
    <Banner tone={status === 'suspended' ? 'bad' : 'warn'} title={text[status]}>
      {statusReason ? <p>{text.reason({ reason: statusReason })}</p> : null}
      <p>{statusUntil ? text.until({ at: timeOf(statusUntil) }) : text.open}</p>
    </Banner>
  );
}
