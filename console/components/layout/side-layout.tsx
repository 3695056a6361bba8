import { type ReactNode, useEffect, useRef } from 'react';
import classes from './side-layout.module.css';

type SideLayoutProps = {
  /** Names the side column for screen readers. */
  label: string;
  /** Null: the content has the whole width. */
  side: ReactNode;
  /**
   * In one column (narrow windows), show the first part of the side, or the first two, before the content. The others come
   * last.
   */
  leads?: boolean | 2;
  children: ReactNode;
};

/** The main content of a page with a side column. */
export function SideLayout({ label, side, leads = false, children }: SideLayoutProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => element.style.setProperty('--side-height', `${element.offsetHeight}px`));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <div className={classes.columns} data-single={side === null}>
      <div className={`stack ${classes.main}`}>{children}</div>
      <aside
        ref={place}
        className={`stack ${classes.side}`}
        aria-label={label}
        data-leads={Number(leads)}
        hidden={side === null}
      >
        {side}
      </aside>
    </div>
  );
}
