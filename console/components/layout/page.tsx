import { type ReactNode, useEffect, useRef } from 'react';
import { serviceName } from '../../api/public.ts';
import { noteHeading } from './page-change.ts';
import classes from './page.module.css';

export type PageProps = {
  /** The heading, and the title of the window. */
  title: string;
  /** In place of the title in the heading, where it is more than a text. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** Above the heading: where this page belongs. */
  above?: ReactNode;
  /** At the heading's side. */
  actions?: ReactNode;
  children: ReactNode;
};

/** One page: its title, its only h1 (which gets the focus when the page is opened), its content. */
export function Page({ title, heading, lead, above, actions, children }: PageProps) {
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${serviceName()}`;
    noteHeading(top.current);
  }, [title]);
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <div>
          {above ? <div className={classes.above}>{above}</div> : null}
          <h1 ref={top} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {lead ? <p className={classes.lead}>{lead}</p> : null}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
