import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { shortHash } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './copy-text.module.css';

type CopyTextProps = { value: string; what: string; shown?: string };

/** Copies an address or a hash, and shows it shortened, or words. `what` names the value for screen readers. */
export function CopyText({ value, what, shown }: CopyTextProps) {
  return (
    <CopyButton
      value={value}
      title={value}
      className={classes.copy}
      label={`${messages.copy.copy({ what })}: ${shown ?? shortHash(value)}`}
    >
      {() => shown ?? <code className="one-line">{shortHash(value)}</code>}
    </CopyButton>
  );
}

const SHOWN_MS = 2_000;

type CopyButtonProps = {
  value: string;
  title?: string;
  className: string | undefined;
  label: string;
  /** Returns the text or picture beside the icon of the button. `copied` is true for 2 s after a click. */
  children: (copied: boolean) => ReactNode;
};

/** Copies a text. Its icon and screen readers say so, unless the browser does not allow it. */
export function CopyButton({ value, title, className, label, children }: CopyButtonProps) {
  const { copied, copy } = useCopy(value);
  const Icon = copied ? Check : Copy;
  return (
    <button type="button" className={className} title={title} aria-label={label} onClick={copy}>
      {children(copied)}
      <Icon size={16} aria-hidden="true" />
      <span className="only-read" role="status">
        {copied ? messages.copy.copied : ''}
      </span>
    </button>
  );
}

/** Copies a text. `copied` is true for 2 s after that; it stays false where the browser does not allow it. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Plain HTTP has no clipboard, and a visitor can refuse it. The text can still be selected.
    }
  };
  return { copied, copy: () => void copy() };
}
