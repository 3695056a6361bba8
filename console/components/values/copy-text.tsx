import { Check, Copy } from 'lucide-react';
import { shortHash } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './copy-text.module.css';
import { useCopy } from './use-copy.ts';

/** Shows a shortened address or hash, and copies the full value. `what` names the value for screen readers. */
export function CopyText({ value, what }: { value: string; what: string }) {
  const { copied, copy } = useCopy(value);
  return (
    <button
      type="button"
      className={classes.copy}
      title={value}
      aria-label={`${messages.copy.copy({ what })}: ${shortHash(value)}`}
      onClick={copy}
    >
      <span className={classes.value}>{shortHash(value)}</span>
      {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span className="only-read" role="status">
        {copied ? messages.copy.copied : ''}
      </span>
    </button>
  );
}
