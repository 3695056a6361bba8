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

export type Fact = [label: string, value: ReactNode];

/** Labels and amounts inside a panel, one per line. A fact without a value is left out. */
export function PanelFacts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={`stack ${classes.facts}`}>
      {facts.map(([label, value]) =>
        value === null ? null : (
          <div key={label} className="row ends">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
