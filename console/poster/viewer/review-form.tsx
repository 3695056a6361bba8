import { Button, Textarea } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { poster } from '../../messages/public.ts';
import type { Entry } from '../judging/entry-requests.ts';
import { feedbackOf } from '../judging/use-feedback.ts';
import type { Judge } from '../judging/use-judge.ts';
import classes from './viewer.module.css';

const text = poster.viewer;
const MOST = 2000;
const SCORES = [1, 2, 3, 4, 5] as const;

type ReviewFormProps = { entry: Entry; judge: Judge; isCompact?: boolean };

/** Score and feedback of one entry. Text is saved while the poster types. A score, or Ctrl+Enter, sends it. */
export function ReviewForm({ entry, judge, isCompact = false }: ReviewFormProps) {
  const canScore = judge.canScore && entry.disqualified_at === null;
  const canWrite = canScore || (judge.isAwarded && entry.disqualified_at === null);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        judge.send(entry);
      }}
    >
      <ScoreInput entry={entry} judge={judge} disabled={!canScore} />
      {canWrite ? (
        <FeedbackField entry={entry} judge={judge} isCompact={isCompact} />
      ) : (
        <>
          {entry.feedback ? <p className={`words ${classes.long}`}>{entry.feedback}</p> : null}
          {entry.feedback_draft ? (
            <div>
              <p className="soft small">{text.unsent}</p>
              <p className={`words ${classes.long}`}>{entry.feedback_draft}</p>
            </div>
          ) : null}
          {judge.isHeld ? <p className="soft small">{text.held}</p> : null}
        </>
      )}
      <Outcome entry={entry} judge={judge} />
    </form>
  );
}

/** Scores 1 to 5 with their meanings. */
function ScoreInput({ entry, judge, disabled }: ReviewFormProps & { disabled: boolean }) {
  const { id, score } = entry;
  return (
    <fieldset className={classes.scores} disabled={disabled}>
      <legend>
        {text.score}
        {score === null ? '' : `: ${text.scores[score - 1]}`}
      </legend>
      {SCORES.map((each) => (
        <label key={each} className={`option ${classes.score}`} title={text.scores[each - 1]}>
          <input
            className="covering"
            type="radio"
            name={`score-${id}`}
            value={each}
            checked={score === each}
            onChange={() => judge.score(entry, each)}
          />
          <span aria-hidden="true">{each}</span>
          <span className="only-read">{`${each}: ${text.scores[each - 1]}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

function FeedbackField({ entry, judge, isCompact = false }: ReviewFormProps) {
  const { keeper } = judge;
  const [feedback, setFeedback] = useState(() => feedbackOf(keeper, entry));
  const state = useSyncExternalStore(keeper.subscribe, () => keeper.stateOf(entry.id));
  // Closing the viewer, or going to another entry, saves at once.
  useEffect(() => () => keeper.flush(entry.id), [keeper, entry.id]);
  const isSent = feedback.trim() === (entry.feedback ?? '');
  const needsScore = judge.canScore && entry.score === null;
  const canSend = !needsScore && !isSent;
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) judge.send(entry);
    // The first Esc leaves the field, and only the second one closes the dialog.
    else if (event.key === 'Escape') event.currentTarget.closest('dialog')?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Textarea
        label={text.feedback}
        description={isCompact ? undefined : text.feedbackHint}
        value={feedback}
        maxLength={MOST}
        minRows={isCompact ? 2 : 3}
        autosize
        maxRows={isCompact ? 4 : 8}
        onChange={(event) => {
          setFeedback(event.currentTarget.value);
          keeper.type(entry.id, event.currentTarget.value);
        }}
        onBlur={() => keeper.flush(entry.id)}
        onKeyDown={onKey}
      />
      {/* `disabled` would remove the focus from the button and stop the keyboard shortcuts. */}
      <Button type="submit" variant="default" data-disabled={!canSend} aria-disabled={!canSend}>
        {text.save}
      </Button>
      {needsScore && !isSent ? <p className="soft small">{text.feedbackNeedsScore}</p> : null}
      <p role="status" className="soft small" data-draft={state}>
        {isSent && state === 'saved' ? '' : text.draft[state]}
      </p>
    </>
  );
}

/** Shows whether the last score, feedback, or mark of this entry was saved, and what was not. */
function Outcome({ entry, judge: { outcomes } }: ReviewFormProps) {
  const last = outcomes.at(-1);
  const failure = outcomes.findLast((each) => each.id === entry.id && each.failure !== null)?.failure;
  return (
    <>
      <p role="status" className="soft small">
        {last?.id === entry.id && !failure ? (last.isSaving ? text.saving : text.saved) : ''}
      </p>
      {failure ? (
        <p role="alert" className="bad">
          {text.notSaved({ why: failure })}
        </p>
      ) : null}
    </>
  );
}
