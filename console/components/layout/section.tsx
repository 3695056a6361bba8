import type { ReactNode } from 'react';
import classes from './section.module.css';

/** A part of a page with its own heading. */
export function Section({
  id,
  title,
  lead,
  actions,
  children,
}: {
  /** The target of links within the page. */
  id?: string;
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section id={id} className={`stack ${classes.section}`}>
      <div className={`row ends ${classes.head}`}>
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

/** Parts of a page side by side if the window is wide enough. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>;
}
