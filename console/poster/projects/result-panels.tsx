import { Panel } from '../../components/public.ts';
import { timeOf } from '../../format/public.ts';
import { poster } from '../../messages/public.ts';
import type { OwnProject } from '../account/own-projects.ts';

/** Explains what the service or the operator decided, or what would happen if nobody judges. */
export function ResultPanels({ project }: { project: OwnProject }) {
  if (project.status === 'cancelled') return <Cancelled project={project} />;
  if (project.result_on_hold) return <OnHold project={project} hold={project.result_on_hold} />;
  return <WithoutWinner project={project} />;
}

function silenceText(project: OwnProject): string {
  return project.entry_fee_micro === 0 ? poster.silence.free : poster.silence.fee;
}

type OnHoldProps = { project: OwnProject; hold: NonNullable<OwnProject['result_on_hold']> };

function OnHold({ project, hold }: OnHoldProps) {
  const text = poster.hold;
  return (
    <Panel id="hold" title={text.title}>
      <p>{hold.selection === 'ai' ? text.ai : silenceText(project)}</p>
      <p role="status">{hold.pay_after ? text.until({ at: timeOf(hold.pay_after) }) : text.open}</p>
      {project.hold_reason ? <p className="words">{text.reason({ reason: project.hold_reason })}</p> : null}
      <p className="soft small">{text.noChoice}</p>
    </Panel>
  );
}

function WithoutWinner({ project }: { project: OwnProject }) {
  const text = poster.silence;
  const { selection, status, latest_deadline: latest } = project;
  if (selection === 'silence' || selection === 'shared') {
    const isSilence = selection === 'silence';
    return (
      <Panel id="ending" title={isSilence ? text.ended : text.sharedTitle}>
        <p>{isSilence ? silenceText(project) : text.shared}</p>
      </Panel>
    );
  }
  // Projects without a latest deadline keep the rules of their publication.
  if (selection !== null || status !== 'judging' || latest === null) return null;
  return (
    <details>
      <summary>{text.title}</summary>
      <p>{silenceText(project)}</p>
    </details>
  );
}

function Cancelled({ project }: { project: OwnProject }) {
  const text = poster.cancelled;
  const { cancelled_at: at, cancelled_by: by, cancel_reason, no_winner_reason: noWinner } = project;
  const isSilence = by === 'timer' && cancel_reason === 'silence';
  const reason = noWinner ?? cancel_reason;
  const ended = noWinner === null ? text.title : poster.silence.noWinner;
  return (
    <Panel id="cancelled" title={isSilence ? poster.silence.ended : ended}>
      {at && by ? <p>{text.who({ by, at: timeOf(at) })}</p> : null}
      {isSilence ? <p>{silenceText(project)}</p> : null}
      {noWinner === null ? null : <p>{poster.silence.noWinnerText}</p>}
      {reason && !isSilence ? <p className="words">{text.reason({ reason })}</p> : null}
    </Panel>
  );
}
