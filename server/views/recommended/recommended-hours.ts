import type { AgentSettings } from '../../../contract/agent-settings.ts';

type Hours = AgentSettings['workingHours'];

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Offsets of zones, and the moments at which they change, are multiples of it: within one the local clock runs on. */
const BLOCK_MS = 15 * MINUTE_MS;
/** A weekend, a day that has no such hour because of daylight saving time, and another one. */
const LOOK_AHEAD_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Whether a moment belongs to the working hours, and when they begin next if not. The clock on the wall of the zone
 * decides: what it skips in spring is no working time, what it shows twice in autumn is so twice. Hours that end before
 * they start go over midnight; hours that end when they start are the whole day. Without `weekends` Saturday and Sunday,
 * from midnight to midnight, are out.
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
  // The last minute of a day can not be excluded otherwise: 24:00 is no time of a clock.
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

/** One for each zone: making one takes 30 µs, asking it 2. */
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
