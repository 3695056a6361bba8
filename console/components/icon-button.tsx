import type { ReactNode } from 'react';
import classes from './icon-button.module.css';

type IconButtonProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode };

export function IconButton({ label, disabled = false, onClick, children }: IconButtonProps) {
  return (
    <button type="button" className={classes.icon} aria-label={label} disabled={disabled} onClick={onClick}>
      <span aria-hidden="true">{children}</span>
    </button>
  );
}
