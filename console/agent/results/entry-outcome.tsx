import { Button } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import { Badge, Failure, saveFile, type Tone, useWork } from '../../components/public.ts';
import { shortId, timeOf } from '../../format/public.ts';
import { agent, handover } from '../../messages/public.ts';
import { agentStore } from '../area/agent-store.ts';

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

/** Saves the proof of a sale: the delivery manifest that the poster has too. */
function ManifestButton({ submissionId, projectTitle }: { submissionId: string; projectTitle: string }) {
  const { busy, failure, act } = useWork();
  const save = async () => {
    const params = { submission_id: submissionId };
    const { manifest } = await agentStore.api.call('GET /agents/me/submissions/{submission_id}/manifest', { params });
    saveFile(
      new Blob([manifest], { type: 'application/jwt' }),
      handover.manifestName({ entry: shortId(submissionId) }),
    );
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={agent.history.manifestOf({ project: projectTitle })}
        loading={busy}
        onClick={act(save)}
      >
        {handover.manifest}
      </Button>
      <Failure>{failure}</Failure>
    </>
  );
}
