import type { ReactNode } from 'react';
import classes from './icon-button.module.css';

type IconButtonProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode };

/** Where it can do nothing it keeps the focus all the same: keys go on working in the dialog around it. */
export function IconButton({ label, disabled = false, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick();
      }}
    >
      <span aria-hidden="true">{children}</span>
    </button>
  );
}
