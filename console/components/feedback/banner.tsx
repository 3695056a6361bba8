import type { ReactNode } from 'react';
import classes from './banner.module.css';

/** A notice above the content of a page. */
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
    <div className={`toned ${classes.banner}`} data-tone={tone}>
      <p className="strong">{title}</p>
      {children ? <div>{children}</div> : null}
    </div>
  );
}
