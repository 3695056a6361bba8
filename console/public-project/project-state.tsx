import type { ReactNode } from 'react';
import { timeOf } from '../format/public.ts';
import { market } from '../messages/public.ts';
import { useMoney } from './project-money.ts';
import type { AnyProject } from './project-data.ts';
import classes from './project-page.module.css';

const text = market.project;

/** Says where the project stands: whether it takes entries, what is decided, and why it ended without a winner. */
export function ProjectState({ project }: { project: AnyProject }) {
  if (project.status === 'open') return <OpenState project={project} />;
  if (project.status === 'judging') return <JudgingState project={project} />;
  if (project.status === 'cancelled') return <CancelledState project={project} />;
  const { selection } = project;
  if (selection !== 'silence' && selection !== 'shared') return null;
  return (
    <Note title={text.endings[selection].title}>
      <p>{text.endings[selection].text}</p>
    </Note>
  );
}

function Note({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <div className={`stack ${classes.note}`}>
      {title ? <h2 className="sub">{title}</h2> : null}
      {children}
    </div>
  );
}

function OpenState({ project }: { project: AnyProject }) {
  return (
    <Note>
      {project.closes_at ? (
        <p role="status">{text.closingNow({ at: timeOf(project.closes_at) })}</p>
      ) : project.places_left === 0 ? (
        <p role="status">{text.full}</p>
      ) : null}
      <p>
        {text.openNow} {text.appears[project.gallery]}
      </p>
    </Note>
  );
}

function JudgingState({ project: { result_on_hold: hold, gallery } }: { project: AnyProject }) {
  if (!hold)
    return (
      <Note>
        <p>
          {text.judgingNow} {text.appears[gallery]}
        </p>
      </Note>
    );
  const { pay_after: until } = hold;
  return (
    <Note title={text.hold.title}>
      <p>{text.hold[hold.selection]}</p>
      <p>{until ? text.hold.until({ at: timeOf(until) }) : text.hold.open}</p>
    </Note>
  );
}

/** The reason is the text of a stranger; without one, nobody judged the entries. */
function CancelledState({ project }: { project: AnyProject }) {
  const { cancelled_by: by, cancelled_at: at, cancel_reason, no_winner_reason: noWinner } = project;
  const { cancelled } = text;
  const settled = String(useMoney(project).data?.pages[0]?.held_micro === 0);
  const isSilence = by === 'timer' && cancel_reason === 'silence';
  const reason = noWinner ?? cancel_reason;
  const fees = String(project.entry_fee_micro > 0);
  const outcome = isSilence
    ? cancelled.silence({ settled })
    : by === 'operator'
      ? cancelled.refunds
      : noWinner !== null
        ? cancelled.noWinner
        : cancelled.nobody({ settled, fees });
  return (
    <Note title={cancelled.title({ who: by ? cancelled.by[by] : cancelled.by.timer, at: at ? timeOf(at) : '' })}>
      {reason && !isSilence ? (
        <p className="words">
          {cancelled.reason} {reason}
        </p>
      ) : null}
      <p>{outcome}</p>
    </Note>
  );
}
