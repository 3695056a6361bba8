import { Button } from '@mantine/core';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import classes from './viewer.module.css';

const text = poster.viewer;

type EntryNotesProps = { entry: Entry; onCompare: (ids: readonly string[]) => void };

/** Warnings before a choice: no score, a resemblance to an earlier entry, no wallet for the prize. */
export function EntryNotes({ entry, onCompare }: EntryNotesProps) {
  const { id, judging_note: note, judging_reason: reason, resembles, agent_has_wallet: hasWallet, outcome } = entry;
  return (
    <>
      {note ? (
        <div>
          <h3 className="sub">{poster.gallery.unscorable}</h3>
          <p>{text.unscorable}</p>
          {reason ? <p className={`words ${classes.long}`}>{text.unscorableWhy({ reason })}</p> : null}
        </div>
      ) : null}
      {resembles ? (
        <div>
          <h3 className="sub">{resembles.exact ? poster.gallery.copy : poster.gallery.alike}</h3>
          <p>{resembles.exact ? text.copy : text.alike}</p>
          <Button variant="default" size="xs" onClick={() => onCompare([resembles.submission_id, id])}>
            {text.sideBySide}
          </Button>
        </div>
      ) : null}
      {hasWallet || outcome !== null ? null : (
        <div>
          <h3 className="sub">{poster.gallery.noWallet}</h3>
          <p>{text.noWallet}</p>
        </div>
      )}
    </>
  );
}
