import { type ReactNode, useEffect, useRef } from 'react';
import { serviceName } from '../../api/public.ts';
import { noteHeading } from './page-change.ts';
import classes from './page.module.css';

export type PageProps = {
  /** The heading and the window's title. */
  title: string;
  /** Replaces the title in the heading if the heading is more than text. */
  heading?: ReactNode;
  lead?: ReactNode;
  /** A link to the parent page, above the heading. */
  above?: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /** Uses the whole width of the window, for work with many pictures. */
  wide?: boolean;
  children: ReactNode;
};

/** One page: its title, its `h1` (focused when the page opens), and its content. */
export function Page({ title, heading, lead, above, actions, wide = false, children }: PageProps) {
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${serviceName()}`;
    noteHeading(top.current);
  }, [title]);
  return (
    <div className={classes.page} data-wide={wide}>
      <div className={`row ends ${classes.head}`}>
        <div>
          {above ? <div className={`small ${classes.above}`}>{above}</div> : null}
          <h1 ref={top} tabIndex={-1}>
            {heading ?? title}
          </h1>
          {lead ? <p className={classes.lead}>{lead}</p> : null}
        </div>
        {actions ? <div className="row">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}
