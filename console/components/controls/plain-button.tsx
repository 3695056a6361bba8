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

type PrimaryButtonProps = { onClick?: () => void; submits?: boolean; busy?: boolean; children: ReactNode };

/** The main button of public pages. With `submits`, it submits its form. */
export function PrimaryButton({ onClick, submits = false, busy = false, children }: PrimaryButtonProps) {
  return (
    <button
      type={submits ? 'submit' : 'button'}
      className={`${classes.button} ${classes.primary}`}
      aria-disabled={busy}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.();
      }}
    >
      {children}
    </button>
  );
}
