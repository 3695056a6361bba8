import { useNow } from '../clock.ts';
import { spanInWords, timeOf } from '../format.ts';
import { keyed } from '../messages/keyed.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How long ago, within a day; the moment itself otherwise, and for who points at it. */
export function When({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft">{keyed.never}</span>;
  const ago = now - Date.parse(at);
  const words =
    ago < 0 || ago >= DAY_MS
      ? timeOf(at)
      : ago < MINUTE_MS
        ? keyed.now
        : keyed.ago(spanInWords(ago - (ago % MINUTE_MS)));
  return (
    <time dateTime={at} title={timeOf(at)} className="tabular">
      {words}
    </time>
  );
}
