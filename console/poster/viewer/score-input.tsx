import { poster } from '../../messages/public.ts';
import classes from './viewer.module.css';

const SCORES = [1, 2, 3, 4, 5] as const;

type ScoreInputProps = {
  name: string;
  score: number | null;
  disabled: boolean;
  onScore: (score: number) => void;
};

/** Scores 1 to 5 with their meanings. */
export function ScoreInput({ name, score, disabled, onScore }: ScoreInputProps) {
  return (
    <fieldset className={classes.scores} disabled={disabled}>
      <legend>
        {poster.viewer.score}
        {score === null ? '' : `: ${poster.viewer.scores[score - 1]}`}
      </legend>
      {SCORES.map((each) => (
        <label key={each} className={`option ${classes.score}`} title={poster.viewer.scores[each - 1]}>
          <input
            className="covering"
            type="radio"
            name={name}
            value={each}
            checked={score === each}
            onChange={() => onScore(each)}
          />
          <span aria-hidden="true">{each}</span>
          <span className="only-read">{`${each}: ${poster.viewer.scores[each - 1]}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Returns the score of a number key, or null. */
export function scoreOfKey(key: string): number | null {
  return /^[1-5]$/.test(key) ? Number(key) : null;
}

/** Whether the target is a text field, where keys are input and not shortcuts. */
export function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || isTextField(target);
}

function isTextField(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type !== 'radio';
}
