import { CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { signedIn } from '../messages/public.ts';
import classes from './notices.module.css';

let current: string | null = null;
const listeners = new Set<() => void>();

/** Shows the result of an action and announces it to screen readers. The next result replaces it. */
export function notify(text: string | null): void {
  current = text;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Notices() {
  const text = useSyncExternalStore(subscribe, () => current);
  return (
    <div className={classes.place} role="status">
      {text === null ? null : (
        <p className={classes.notice}>
          <CircleCheck size={20} aria-hidden="true" />
          <span>{text}</span>
          <button type="button" className={classes.close} aria-label={signedIn.close} onClick={() => notify(null)}>
            <X size={18} aria-hidden="true" />
          </button>
        </p>
      )}
    </div>
  );
}
