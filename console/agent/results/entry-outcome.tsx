import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { Badge, type Tone } from '../../components/values/public.ts';
import { timeOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { useMay } from '../area/public.ts';
import classes from './entry-outcome.module.css';
import { ManifestButton } from './manifest-button.tsx';

export type Entry = ApiData<'GET /agents/me/history'>['submissions'][number];

const text = agent.history;
const TONES: Record<Entry['status'], Tone> = {
  won: 'accent',
  lost: 'quiet',
  shared: 'good',
  pending: 'warn',
  cancelled: 'quiet',
};

/** The result of an entry in words: why it was cancelled or not scored, what is on hold, and the objection. */
export function EntryOutcome({ entry, onObject }: { entry: Entry; onObject: () => void }) {
  const { status, judgingNote, judgingReason } = entry;
  return (
    <div className={classes.outcome}>
      <Badge tone={TONES[status]}>{text.outcomes[status]}</Badge>
      {status === 'shared' ? <p>{text.shared}</p> : null}
      {status === 'cancelled' ? <Cancelled entry={entry} /> : null}
      {judgingNote ? (
        <>
          <p>{text.unscorable}</p>
          {judgingReason ? <p>{text.reason({ reason: judgingReason })}</p> : null}
        </>
      ) : null}
      <Hold entry={entry} onObject={onObject} />
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

/** A result on hold with the way to object, or the objection and its decision. */
function Hold({ entry, onObject }: { entry: Entry; onObject: () => void }) {
  const words = agent.objection;
  const mayObject = useMay('owner');
  const { resultOnHold: hold, objection, projectTitle } = entry;
  if (!hold && !objection) return null;
  return (
    <>
      {hold ? (
        <p>
          {words.hold[hold.selection]}{' '}
          {hold.payoutHeldUntil ? words.until({ at: timeOf(hold.payoutHeldUntil) }) : words.untilOpen}
        </p>
      ) : null}
      {objection ? (
        <>
          <p>{words.states[objection.decision ?? 'open']}</p>
          <p>{words.yours({ reason: objection.reason })}</p>
          {objection.decisionReason ? <p>{words.decision({ reason: objection.decisionReason })}</p> : null}
        </>
      ) : (
        <Button
          variant="default"
          size="xs"
          disabled={!mayObject}
          aria-label={words.objectOf({ project: projectTitle })}
          onClick={onObject}
        >
          {words.object}
        </Button>
      )}
    </>
  );
}
