import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { describeError } from '../../components/feedback/public.ts';
import { poster } from '../../messages/public.ts';
import { ScoreInput } from './score-input.tsx';
import type { Entry } from './use-entries.ts';
import classes from './viewer.module.css';

const text = poster.viewer;
const MOST = 2000;

type ReviewFormProps = {
  entry: Entry;
  canScore: boolean;
  isHeld: boolean;
  onReview: (entry: Entry, score: number, feedback: string) => Promise<void>;
};

/** Score and feedback of one entry. A click on a score saves at once; feedback has a save button. */
export function ReviewForm({ entry, canScore, isHeld, onReview }: ReviewFormProps) {
  const [feedback, setFeedback] = useState(entry.feedback ?? '');
  const [message, setMessage] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  async function save(score: number) {
    setMessage(text.saving);
    setFailure(null);
    try {
      await onReview(entry, score, feedback.trim());
      setMessage(text.saved);
    } catch (error) {
      setMessage('');
      setFailure(text.notSaved(describeError(error).text));
    }
  }
  const canSave = entry.score !== null && feedback !== (entry.feedback ?? '');
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    if (entry.score !== null && canSave) void save(entry.score);
  };
  return (
    <form onSubmit={submit} className={classes.review}>
      <ScoreInput name="score" score={entry.score} disabled={!canScore} onScore={(score) => void save(score)} />
      {canScore ? (
        <>
          <Textarea
            label={text.feedback}
            description={text.feedbackHint}
            value={feedback}
            maxLength={MOST}
            minRows={3}
            autosize
            maxRows={8}
            onChange={(event) => setFeedback(event.currentTarget.value)}
          />
          {/* `disabled` would remove the focus from the button and stop the keyboard shortcuts. */}
          <Button type="submit" variant="default" data-disabled={!canSave} aria-disabled={!canSave}>
            {text.save}
          </Button>
          {entry.score === null && feedback !== '' ? <p className={classes.hint}>{text.feedbackNeedsScore}</p> : null}
        </>
      ) : (
        <>
          {entry.feedback ? <p className={classes.words}>{entry.feedback}</p> : null}
          <p className={classes.hint}>{isHeld ? text.held : text.fixed}</p>
        </>
      )}
      <p role="status" className={classes.hint}>
        {message}
      </p>
      {failure ? (
        <p role="alert" className={classes.out}>
          {failure}
        </p>
      ) : null}
    </form>
  );
}
