import type { CSSProperties, ReactNode } from 'react';
import classes from './stats.module.css';

export type Stat = {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  tone?: 'bad' | 'warn';
  /** The value is words, which need more room than a number. */
  words?: boolean;
};

/** Figures that are read at a glance. */
export function Stats({ stats, label, most = 7 }: { stats: Stat[]; label: string; /** In a row. */ most?: number }) {
  return (
    <dl
      className={classes.stats}
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

/** So many that all rows are as full as each other. */
function columnsOf(amount: number, most: number): number {
  return Math.ceil(amount / Math.ceil(amount / most));
}
