import { messages } from '../../messages/public.ts';
import classes from './code-block.module.css';
import { CopyButton } from './copy-text.tsx';

/** Shows text to paste elsewhere, with a button that copies it. `what` names it for screen readers. */
export function CodeBlock({ text, what, wrap = false }: { text: string; what: string; wrap?: boolean }) {
  return (
    <div className={classes.block}>
      {/* A keyboard can scroll only what it can focus. */}
      <pre className={classes.text} data-wrap={wrap} tabIndex={0} role="group" aria-label={what}>
        <code>{text}</code>
      </pre>
      <CopyButton value={text} className={`plain small ${classes.copy}`} label={messages.copy.copy({ what })}>
        {(copied) => (copied ? messages.copy.copied : messages.copy.short)}
      </CopyButton>
    </div>
  );
}
