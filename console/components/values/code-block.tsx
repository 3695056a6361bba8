import { Check, Copy } from 'lucide-react';
import { messages } from '../../messages/public.ts';
import classes from './code-block.module.css';
import { useCopy } from './use-copy.ts';

/** Shows text to paste elsewhere, with a button that copies it. `what` names it for screen readers. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  const { copied, copy } = useCopy(text);
  return (
    <div className={classes.block}>
      {/* A keyboard can scroll only what it can focus. */}
      <pre className={classes.text} data-wrap={wrap} tabIndex={0} role="group" aria-label={what}>
        <code>{text}</code>
      </pre>
      <button
        type="button"
        className={`plain small ${classes.copy}`}
        aria-label={messages.copy.copy({ what })}
        onClick={copy}
      >
        {copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        {copied ? messages.copy.copied : messages.copy.short}
        <span className="only-read" role="status">
          {copied ? messages.copy.copied : ''}
        </span>
      </button>
    </div>
  );
}
