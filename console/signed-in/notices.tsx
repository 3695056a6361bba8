import { CircleCheck, CircleX, TriangleAlert, X } from 'lucide-react';
import { createStore } from '../api/public.ts';
import { signedIn } from '../messages/public.ts';
import classes from './notices.module.css';

/** `warn`: the result is not what the person expects. */
export type Notice = { tone: 'good' | 'warn' | 'bad'; text: string };

const ICONS = { good: CircleCheck, warn: TriangleAlert, bad: CircleX };

const current = createStore<Notice | null>(null);

/** Shows the result of an action and announces it to screen readers. The next result replaces it. */
export function notify(notice: Notice | string | null): void {
  current.set(typeof notice === 'string' ? { tone: 'good', text: notice } : notice);
}

export function Notices() {
  const notice = current.use();
  return (
    <div className={classes.place} role="status">
      {notice === null ? null : <Shown notice={notice} />}
    </div>
  );
}

function Shown({ notice: { tone, text } }: { notice: Notice }) {
  const Icon = ICONS[tone];
  return (
    <p className={`toned ${classes.notice}`} data-tone={tone}>
      <Icon size={20} aria-hidden="true" />
      <span>{text}</span>
      <button type="button" className="round" aria-label={signedIn.close} onClick={() => notify(null)}>
        <X size={18} aria-hidden="true" />
      </button>
    </p>
  );
}
