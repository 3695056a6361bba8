import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { messages } from '../../messages/public.ts';
import classes from './code-block.module.css';

const SHOWN_MS = 2_000;

/** Shows text to paste elsewhere, with a button that copies it. `what` names it for screen readers. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className={classes.block}>
      {/* A keyboard can scroll only what it can focus. */}
      <pre className={classes.text} data-wrap={wrap} tabIndex={0} role="group" aria-label={what}>
        <code>{text}</code>
      </pre>
      <button
        type="button"
        className={classes.copy}
        aria-label={messages.copy.copy(what)}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
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
