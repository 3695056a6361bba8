import { ChevronDown } from 'lucide-react';
import { type ComponentPropsWithoutRef, type ReactNode, useId } from 'react';
import classes from './field.module.css';

// Fields for public pages. Pages behind a sign-in use the component library's fields.

type TextFieldProps = Omit<ComponentPropsWithoutRef<'input'>, 'id' | 'className'> & {
  label: string;
  before?: ReactNode;
  after?: ReactNode;
  /** The fault of the value; null if it has none. */
  error?: string | null;
};

export function TextField({ label, before, after, error = null, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <span className={classes.frame} data-before={before ? true : undefined} data-after={after ? true : undefined}>
        {before ? <span className={classes.before}>{before}</span> : null}
        <input
          id={id}
          {...(error === null ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}error` })}
          {...input}
        />
        {after ? <span className={classes.after}>{after}</span> : null}
      </span>
      {error === null ? null : (
        <p id={`${id}error`} className="bad small" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

type SelectFieldProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode };

export function SelectField({ label, value, onChange, children }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <span className={classes.frame} data-after>
        <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {children}
        </select>
        <span className={classes.after}>
          <ChevronDown size={18} aria-hidden="true" />
        </span>
      </span>
    </div>
  );
}
