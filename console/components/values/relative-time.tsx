import { useNow } from '../../api/public.ts';
import { dayOf, spanInWords, timeOf } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './relative-time.module.css';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Shows a time relative to now within a day, otherwise as a date. The tooltip has the exact time. */
export function RelativeTime({
  at,
  isDue = false,
}: {
  at: string | null;
  /** The time is in the future. */ isDue?: boolean;
}) {
  const now = useNow();
  if (at === null) return <span className="soft">{messages.relative.never}</span>;
  return (
    <time dateTime={at} title={timeOf(at)} className={classes.when}>
      {relativeTime(now - Date.parse(at), isDue) ?? timeOf(at)}
    </time>
  );
}

function relativeTime(agoMs: number, isDue: boolean): string | null {
  const away = Math.abs(agoMs);
  if (away < MINUTE_MS) return isDue ? messages.relative.soon : messages.relative.now;
  if (away >= DAY_MS) return null;
  const span = spanInWords(away - (away % MINUTE_MS));
  return agoMs < 0 ? messages.relative.ahead({ span }) : messages.relative.ago({ span });
}

/** Shows a date. The tooltip has the exact time. */
export function CalendarDay({ at }: { at: string }) {
  return (
    <time dateTime={at} title={timeOf(at)} className={classes.when}>
      {dayOf(at)}
    </time>
  );
}
