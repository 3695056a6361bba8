import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';

type Hours = AgentSettings['workingHours'];

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/**
 * Zone offsets, and the times at which they change, are multiples of this. So local time is continuous within a block.
 */
const BLOCK_MS = 15 * MINUTE_MS;
/** Covers a weekend, a day whose start hour daylight saving time skips, and a spare day. */
const LOOK_AHEAD_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Returns whether `now` is within the working hours and, if not, when they start next. Local time decides: an hour that
 * daylight saving time skips is no working time, and an hour that occurs twice counts twice. Hours that end before they
 * start cross midnight. Hours that end when they start cover the whole day. Without `weekends`, the hours exclude
 * Saturdays and Sundays from midnight to midnight.
 */
export function workingTime(hours: Hours, now: Date): { within: boolean; nextStart: Date | null } {
  const clock = clockOf(hours.timezone);
  const within = contains(hours, localTime(clock, now.getTime()));
  return { within, nextStart: within ? null : nextStart(hours, clock, now.getTime()) };
}

type LocalTime = { weekend: boolean; minute: number };

function contains({ start, end, weekends }: Hours, { weekend, minute }: LocalTime): boolean {
  if (weekend && !weekends) return false;
  if (start === end) return true;
  const from = minutesOf(start);
  // 23:59 includes the last minute of the day, because a clock has no 24:00.
  const to = end === '23:59' ? DAY_MINUTES : minutesOf(end);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minutesOf(time: string): number {
  const [hour = '', minute = ''] = time.split(':');
  return 60 * Number(hour) + Number(minute);
}

function nextStart(hours: Hours, clock: Intl.DateTimeFormat, nowMs: number): Date | null {
  const start = minutesOf(hours.start);
  for (let at = nowMs; at < nowMs + LOOK_AHEAD_MS;) {
    const local = localTime(clock, at);
    if (contains(hours, local)) return new Date(at);
    const blockEnd = (Math.floor(at / BLOCK_MS) + 1) * BLOCK_MS;
    const begins = Math.floor(at / MINUTE_MS) * MINUTE_MS + (start - local.minute) * MINUTE_MS;
    if (begins > at && begins < blockEnd && contains(hours, { ...local, minute: start })) return new Date(begins);
    at = blockEnd;
  }
  return null;
}

function localTime(clock: Intl.DateTimeFormat, at: number): LocalTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clock.formatToParts(at)) parts[type] = value;
  const weekend = parts.weekday === 'Sat' || parts.weekday === 'Sun';
  return { weekend, minute: 60 * Number(parts.hour) + Number(parts.minute) };
}

// A weekend takes 244 steps: 0.7 ms with a clock that was used before, 1.9 ms with a new one.
const clocks = new Map<string, Intl.DateTimeFormat>();
const MAX_CLOCKS = 100;

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  // Agents may spell a zone in any letter case, so the number of names has no limit.
  if (clocks.size >= MAX_CLOCKS) clocks.clear();
  clocks.set(timeZone, clock);
  return clock;
}
