import type { ReactNode } from 'react';
import classes from './panel.module.css';

type PanelProps = { id: string; title: string; heading?: 'h2' | 'h3'; children: ReactNode };

/** A part of a page on a ground of its own. `id`: its heading's. */
export function Panel({ id, title, heading: Heading = 'h2', children }: PanelProps) {
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <Heading id={id} className={classes.heading}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

type PanelFactsProps = { facts: [label: string, value: ReactNode][] };

/** What and how much, line by line. */
export function PanelFacts({ facts }: PanelFactsProps) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
