import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** Labels and values, one per line. A fact without a value is left out. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className={`card ${classes.facts}`}>
      {facts.map(({ label, value }) =>
        value === null ? null : (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
