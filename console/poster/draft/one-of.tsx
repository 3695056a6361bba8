import { useId } from 'react';
import classes from './draft-page.module.css';

type OneOfProps<Value extends string> = {
  label: string;
  name: string;
  options: Record<Value, { name: string; means: string }>;
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice between a few options. One sentence says what each option means. */
export function OneOf<Value extends string>({ label, name, options, value, onChange }: OneOfProps<Value>) {
  const id = useId();
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      {(Object.keys(options) as Value[]).map((each) => (
        <label key={each} className={`option ${classes.option}`}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === value}
            aria-labelledby={`${id}-${each}`}
            aria-describedby={`${id}-${each}-means`}
            onChange={() => onChange(each)}
          />
          <span>
            <strong id={`${id}-${each}`}>{options[each].name}</strong>
            <span id={`${id}-${each}-means`}>{options[each].means}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
