import { type ReactNode, useEffect, useRef } from 'react';
import classes from './with-side.module.css';

type WithSideProps = {
  /** Named to who goes by landmarks. */
  label: string;
  side: ReactNode;
  /** Where they stand below each other the side's first part comes before everything, else all of it comes last. */
  leads?: boolean;
  children: ReactNode;
};

/** What a page is about, and beside it what belongs to that. */
export function WithSide({ label, side, leads = false, children }: WithSideProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const watcher = new ResizeObserver(() => element.style.setProperty('--side-height', `${element.offsetHeight}px`));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return (
    <div className={classes.columns}>
      <div className={classes.main}>{children}</div>
      <aside ref={place} className={classes.side} aria-label={label} data-leads={leads}>
        {side}
      </aside>
    </div>
  );
}
