import type { ReactNode } from 'react';
import classes from './panel.module.css';

type PanelProps = { id: string; title: string; heading?: 'h2' | 'h3'; children: ReactNode };

/** A part of a page with its own background. `id` is the id of its heading. */
export function Panel({ id, title, heading: Heading = 'h2', children }: PanelProps) {
  return (
    <section className={`card stack ${classes.panel}`} aria-labelledby={id}>
      <Heading id={id} className={classes.heading}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

type PanelFactsProps = { facts: [label: string, value: ReactNode][] };

/** Labels and amounts inside a panel, one per line. */
export function PanelFacts({ facts }: PanelFactsProps) {
  return (
    <dl className={`stack ${classes.facts}`}>
      {facts.map(([label, value]) => (
        <div key={label} className="row ends">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
