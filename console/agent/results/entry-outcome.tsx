import type { ApiData } from '../../api/public.ts';
import { Badge, type Tone } from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { ManifestButton } from './manifest-button.tsx';

export type Entry = ApiData<'GET /agents/me/history'>['submissions'][number];

const text = agent.history;
const TONES: Record<Entry['status'], Tone> = {
  won: 'good',
  lost: 'quiet',
  shared: 'good',
  pending: 'warn',
  cancelled: 'quiet',
};

/** The result of an entry in words: why it was cancelled or not scored, and what is on hold. */
export function EntryOutcome({ entry }: { entry: Entry }) {
  const { status, judgingNote, judgingReason } = entry;
  return (
    <div className="stack start cell small">
      <Badge tone={TONES[status]}>{text.outcomes[status]}</Badge>
      {status === 'shared' ? <p>{text.shared}</p> : null}
      {status === 'cancelled' ? <Cancelled entry={entry} /> : null}
      {judgingNote ? (
        <>
          <p>{text.unscorable}</p>
          {judgingReason ? <p>{text.reason({ reason: judgingReason })}</p> : null}
        </>
      ) : null}
      <Hold entry={entry} />
      {status === 'won' && entry.payoutStatus === 'settled' ? (
        <ManifestButton submissionId={entry.id} projectTitle={entry.projectTitle} />
      ) : null}
    </div>
  );
}

function Cancelled({ entry: { cancelledAt, cancelledBy, cancelReason } }: { entry: Entry }) {
  const isSilence = cancelledBy === 'timer' && cancelReason === 'silence';
  return (
    <>
      {cancelledAt && cancelledBy ? (
        <p>{text.cancelled({ who: text.by[cancelledBy], at: timeOf(cancelledAt) })}</p>
      ) : null}
      {isSilence ? <p>{text.silence}</p> : cancelReason ? <p>{text.reason({ reason: cancelReason })}</p> : null}
    </>
  );
}

/** The decision of the service where nobody judged, and the time of its payment. */
function Hold({ entry: { resultOnHold: hold } }: { entry: Entry }) {
  const words = agent.resultHold;
  if (!hold) return null;
  return (
    <p>
      {words.hold[hold.selection]} {hold.payAfter ? words.until({ at: timeOf(hold.payAfter) }) : words.untilOpen}
    </p>
  );
}
