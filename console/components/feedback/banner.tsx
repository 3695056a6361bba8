import type { ReactNode } from 'react';
import classes from './banner.module.css';

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
