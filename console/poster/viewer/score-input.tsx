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
