import type { CSSProperties, ReactNode } from 'react';
import classes from './stats.module.css';

export type Stat = {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: 'bad' | 'warn';
  /** The value is text, which needs a smaller font than a number. */
  words?: boolean;
};

/** A row of figures with labels. */
export function Stats({
  stats,
  label,
  most = 7,
}: {
  stats: Stat[];
  label: string;
  /** Maximum columns. */ most?: number;
}) {
  return (
    <dl
      className={`card ${classes.stats}`}
      aria-label={label}
      style={{ '--columns': columnsOf(stats.length, most) } as CSSProperties}
    >
      {stats.map((stat) => (
        <div key={stat.label} className={classes.stat} data-tone={stat.tone} data-words={stat.words}>
          <dt>{stat.label}</dt>
          <dd className={classes.value}>{stat.value}</dd>
          {stat.note ? <dd className={classes.note}>{stat.note}</dd> : null}
        </div>
      ))}
    </dl>
  );
}

/** Chooses the number of columns so that all rows have nearly the same length. */
function columnsOf(amount: number, most: number): number {
  return Math.ceil(amount / Math.ceil(amount / most));
}
