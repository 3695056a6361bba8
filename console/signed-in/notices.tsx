import { CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { keyed } from '../messages/public.ts';
import classes from './notices.module.css';

let said: string | null = null;
const listeners = new Set<() => void>();

/** Shows the result of an action and announces it to screen readers. The next result replaces it. */
export function notify(text: string | null): void {
  said = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Notices() {
  const text = useSyncExternalStore(subscribe, () => said);
  return (
    <div className={classes.place} role="status">
      {text === null ? null : (
        <p className={classes.notice}>
          <CircleCheck size={20} aria-hidden="true" />
          <span>{text}</span>
          <button type="button" className={classes.close} aria-label={keyed.close} onClick={() => notify(null)}>
            <X size={18} aria-hidden="true" />
          </button>
        </p>
      )}
    </div>
  );
}
