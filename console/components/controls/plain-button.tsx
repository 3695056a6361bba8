import type { ReactNode } from 'react';
import classes from './plain-button.module.css';

type PlainButtonProps = { onClick: () => void; busy?: boolean; children: ReactNode };

/** The secondary button of public pages. While busy, it keeps the focus and ignores clicks. */
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
