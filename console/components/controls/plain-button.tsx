import type { ReactNode } from 'react';
import classes from './plain-button.module.css';

type PlainButtonProps = { onClick: () => void; busy?: boolean; children: ReactNode };

/** The quiet button of public pages. Busy, it keeps its place and its focus, and does nothing. */
export function PlainButton({ onClick, busy = false, children }: PlainButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-disabled={busy}
      onClick={() => {
        if (!busy) onClick();
      }}
    >
      {children}
    </button>
  );
}
