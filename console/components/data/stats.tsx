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

/** A part of a page under a heading of its own. */
export function Section({
  id,
  title,
  lead,
  actions,
  children,
}: {
  /** Where links lead to. */
  id?: string;
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} className={classes.section}>
      <div className={classes.head}>
        <div>
          <h2>{title}</h2>
          {lead ? <p className="soft">{lead}</p> : null}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Parts of a page beside each other, where there is room. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}

/** Names and their values, one a line. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Something that whoever reads the page should know first. */
export function Banner({
  tone,
  title,
  children,
}: {
  tone: 'bad' | 'warn' | 'good';
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className={classes.banner} data-tone={tone}>
      <p className={classes.bannerTitle}>{title}</p>
      {children ? <div>{children}</div> : null}
    </div>
  );
}
