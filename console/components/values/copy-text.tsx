import { Check, Copy } from 'lucide-react';
import { shortHash } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './copy-text.module.css';
import { useCopy } from './use-copy.ts';

type CopyTextProps = { value: string; what: string; shown?: string };

/** Copies an address or a hash, and shows it shortened, or words. `what` names the value for screen readers. */
export function CopyText({ value, what, shown }: CopyTextProps) {
  const { copied, copy } = useCopy(value);
  return (
    <button
      type="button"
      className={classes.copy}
      title={value}
      aria-label={`${messages.copy.copy({ what })}: ${shown ?? shortHash(value)}`}
      onClick={copy}
    >
      {shown ?? <code className="one-line">{shortHash(value)}</code>}
      {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
      <span className="only-read" role="status">
        {copied ? messages.copy.copied : ''}
      </span>
    </button>
  );
}
