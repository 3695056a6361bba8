import { useNow } from '../../api/public.ts';
import { countdown, spanInWords, timeOf } from '../../format/public.ts';
import { messages } from '../../messages/public.ts';
import classes from './time-left.module.css';

const SOON_MS = 3_600_000;

/** Counts down to a time by the service's clock. Screen readers hear the remaining time in words. */
export function TimeLeft({ until }: { until: string }) {
  const leftMs = Date.parse(until) - useNow();
  if (leftMs <= 0) return <span className={classes.over}>{messages.timeOver}</span>;
  return (
    <time dateTime={until} title={timeOf(until)} className={leftMs < SOON_MS ? classes.soon : classes.left}>
      <span aria-hidden="true">{countdown(leftMs)}</span>
      <span className="only-read">
        {messages.timeLeft({ span: spanInWords(Math.max(60_000, leftMs - (leftMs % 60_000))) })}
      </span>
    </time>
  );
}
