import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';

const MINUTE = 60_000;
/** Covers a weekend, and a start that daylight saving time skips. */
const DAYS = 8;

/**
 * Returns the start of the first minute from `now` on that is within the working hours; null if none of the next 8 days
 * is. Hours that end before they start cross midnight. Hours that end when they start cover the whole day, and 23:59
 * means the end of the day.
 */
export function findWorkingMinute(
  { timezone, start, end, weekends }: AgentSettings['workingHours'],
  now: Date,
): Date | null {
  // The runtime accepted the zone; the database may not know it. Formats as in `Mon 09:05`.
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const isWithin = (time: string) => {
    if (start === end) return true;
    const isBeforeEnd = time < end || (start < end && end === '23:59');
    return start < end ? time >= start && isBeforeEnd : time >= start || isBeforeEnd;
  };
  const first = Math.floor(now.getTime() / MINUTE);
  for (let minute = first; minute <= first + DAYS * 24 * 60; minute++) {
    const [day = '', time = ''] = local.format(minute * MINUTE).split(' ');
    if ((weekends || !day.startsWith('S')) && isWithin(time)) return new Date(minute * MINUTE);
  }
  return null;
}
