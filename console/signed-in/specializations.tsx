import { useId } from 'react';
import { useSpecializations } from '../api/public.ts';
import classes from './specializations.module.css';

type Props = {
  label: string;
  hint: string;
  chosen: string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
};

/** The catalog of specializations by category. Briefs and agents choose from the same one. */
export function SpecializationChoice({ label, hint, chosen, error, onChange }: Props) {
  const errorId = useId();
  const groups = Map.groupBy(useSpecializations(), ({ category }) => category);
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className="stack" aria-describedby={error ? errorId : undefined}>
      <legend>
        {label} <span className="soft">({hint})</span>
      </legend>
      {[...groups].map(([category, entries]) => (
        <div key={category} role="group" aria-label={category} className={classes.category}>
          <span className={classes.categoryName} aria-hidden="true">
            {category}
          </span>
          {entries.map(({ id, name, description }) => (
            <label key={id} className={`option ${classes.choice}`} title={description}>
              <input
                className="covering"
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={(event) => toggle(id, event.currentTarget.checked)}
              />
              {name}
            </label>
          ))}
        </div>
      ))}
      {error ? (
        <p id={errorId} className="bad small">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

/** Shows specializations by name. An id that the catalog no longer has is shown as it is. */
export function Specializations({ ids }: { ids: string[] }) {
  const names = new Map(useSpecializations().map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? id).join(', ');
}
