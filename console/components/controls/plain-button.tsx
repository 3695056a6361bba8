import type { ReactNode } from 'react';
import { messages } from '../../messages/public.ts';
import classes from './plain-button.module.css';

type ButtonProps = {
  onClick?: (event: { preventDefault(): void }) => void;
  /** Submits the form around it. */
  submits?: boolean;
  /** While busy, it keeps the focus and ignores clicks. */
  busy?: boolean;
  small?: boolean;
  /** Names the button for screen readers, where its words are not enough. */
  label?: string | undefined;
  children: ReactNode;
};

/** The secondary button of public pages. */
export function PlainButton(props: ButtonProps) {
  return <Button {...props} look={classes.button} />;
}

/** The main button of public pages. */
export function PrimaryButton(props: ButtonProps) {
  return <Button {...props} look={`${classes.button} ${classes.primary}`} />;
}

type More = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

/** Loads the next page of a list, if there is one. */
export function MoreButton({ of: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { of: More }) {
  if (!hasNextPage) return null;
  return (
    <div className="centered">
      <PlainButton busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {messages.more}
      </PlainButton>
    </div>
  );
}

function Button({
  onClick,
  submits,
  busy = false,
  small,
  label,
  look,
  children,
}: ButtonProps & { look: string | undefined }) {
  return (
    <button
      type={submits ? 'submit' : 'button'}
      className={look}
      data-small={small}
      aria-disabled={busy}
      aria-label={label}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
    </button>
  );
}
