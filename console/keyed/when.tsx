import { useNow } from '../clock.ts';
import { dayOf, spanInWords, timeOf } from '../format.ts';
import { keyed } from '../messages/keyed.ts';
import classes from './when.module.css';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How long ago, within a day (of two clocks that may differ by seconds); the moment itself otherwise, and for who points at it. */
export function When({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">{keyed.never}</span>;
  const ago = now - Date.parse(at);
  const words =
    Math.abs(ago) < MINUTE_MS
      ? keyed.now
      : ago < 0 || ago >= DAY_MS
        ? timeOf(at)
        : keyed.ago(spanInWords(ago - (ago % MINUTE_MS)));
  return (
    <time dateTime={at} title={timeOf(at)} className={classes.when}>
      {words}
    </time>
  );
}

/** The day alone; the moment for who points at it. */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={timeOf(at)} className={classes.when}>
      {dayOf(at)}
    </time>
  );
}
