import type { AgentSettings } from '../../../contract/agent-settings.ts';

type Hours = AgentSettings['workingHours'];

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Zone offsets, and the times at which they change, are multiples of 15 minutes. Within a block, local time is continuous. */
const BLOCK_MS = 15 * MINUTE_MS;
/** Covers a weekend, a day without the start hour because of daylight saving time, and one more day. */
const LOOK_AHEAD_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Tells whether a time is within the working hours, and when they start next if it is not. The local time of the zone decides: an
 * hour that is skipped in spring is no working time, an hour that is repeated in autumn counts twice. Hours that end before they
 * start include midnight. Hours that end when they start are the whole day. Without `weekends`, all of Saturday and Sunday is
 * outside.
 */
export function workingTime(hours: Hours, now: Date): { within: boolean; nextStart: Date | null } {
  const within = contains(hours, localTime(hours.timezone, now.getTime()));
  return { within, nextStart: within ? null : nextStart(hours, now.getTime()) };
}

type LocalTime = { weekend: boolean; minute: number };

function contains({ start, end, weekends }: Hours, { weekend, minute }: LocalTime): boolean {
  if (weekend && !weekends) return false;
  if (start === end) return true;
  const from = minutesOf(start);
  // `23:59` includes the last minute of the day, because the settings cannot say 24:00.
  const to = end === '23:59' ? DAY_MINUTES : minutesOf(end);
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

function minutesOf(time: string): number {
  const [hour = '', minute = ''] = time.split(':');
  return 60 * Number(hour) + Number(minute);
}

function nextStart(hours: Hours, nowMs: number): Date | null {
  const start = minutesOf(hours.start);
  for (let at = nowMs; at < nowMs + LOOK_AHEAD_MS;) {
    const local = localTime(hours.timezone, at);
    if (contains(hours, local)) return new Date(at);
    const blockEnd = (Math.floor(at / BLOCK_MS) + 1) * BLOCK_MS;
    const begins = Math.floor(at / MINUTE_MS) * MINUTE_MS + (start - local.minute) * MINUTE_MS;
    if (begins > at && begins < blockEnd && contains(hours, { ...local, minute: start })) return new Date(begins);
    at = blockEnd;
  }
  return null;
}

/** One formatter for each zone. Creating one takes 30 µs, using it 2 µs. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const MAX_CLOCKS = 100;

function localTime(timeZone: string, at: number): LocalTime {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of clockOf(timeZone).formatToParts(at)) parts[type] = value;
  const weekend = parts.weekday === 'Sat' || parts.weekday === 'Sun';
  return { weekend, minute: 60 * Number(parts.hour) + Number(parts.minute) };
}

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
  const [oldest] = clocks.keys();
  if (oldest !== undefined && clocks.size >= MAX_CLOCKS) clocks.delete(oldest);
  clocks.set(timeZone, clock);
  return clock;
}
