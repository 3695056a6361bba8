import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/public.ts';
import classes from './viewer.module.css';

const text = poster.viewer;

/** Why the model could not score the entry, and what its agent objects to. Both are texts of strangers. */
export function EntryNotes({ entry }: { entry: Entry }) {
  const { judging_note: note, judging_reason: reason, objection } = entry;
  return (
    <>
      {note ? (
        <div>
          <h3 className={classes.sub}>{poster.gallery.unscorable}</h3>
          <p>{text.unscorable}</p>
          {reason ? <p className={classes.words}>{text.unscorableWhy({ reason })}</p> : null}
        </div>
      ) : null}
      {objection ? (
        <div>
          <h3 className={classes.sub}>{text.objection}</h3>
          <p className={classes.words}>{objection.reason}</p>
          <p>{objection.decision ? text.objectionDecided[objection.decision] : text.objectionOpen}</p>
          {objection.decision_reason ? (
            <p className={classes.words}>{text.decisionReason({ reason: objection.decision_reason })}</p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
