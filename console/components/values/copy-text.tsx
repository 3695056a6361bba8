import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { shortHash } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './copy-text.module.css';

const SHOWN_MS = 2_000;

/** Shows a shortened address or hash, and copies the full value. `what` names the value for screen readers. */
export function CopyText({ value, what }: { value: string; what: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className={classes.copy}
      title={value}
      aria-label={`${messages.copy.copy(what)}: ${shortHash(value)}`}
      onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
    >
      <span className={classes.value}>{shortHash(value)}</span>
      {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span className="only-read" role="status">
        {copied ? messages.copy.copied : ''}
      </span>
    </button>
  );
}
