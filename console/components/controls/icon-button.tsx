import type { ReactNode } from 'react';

type IconButtonProps = { label: string; disabled?: boolean; onClick: () => void; children: ReactNode };

/** A disabled button keeps the focus, so keyboard shortcuts of the surrounding dialog keep working. */
export function IconButton({ label, disabled = false, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      className="round framed"
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
