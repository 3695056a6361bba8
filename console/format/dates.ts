import { messages } from '../messages/public.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const utcDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const minute = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  hourCycle: 'h23',
});

export function dayOf(iso: string): string {
  return day.format(new Date(iso));
}

/** Formats a date without a time, which is a UTC day. */
export function utcDayOf(date: string): string {
  return utcDay.format(new Date(date));
}

export function timeOf(iso: string): string {
  return minute.format(new Date(iso));
}

const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
  { unit: 'second', ms: 1_000 },
] as const;

/** Returns the two largest units of a time span, for example `2 days 4 hours`. */
export function spanInWords(ms: number): string {
  const first = UNITS.findIndex((each) => ms >= each.ms);
  if (first === -1) return messages.span.none;
  const parts: string[] = [];
  let rest = ms;
  for (const { unit, ms: size } of UNITS.slice(first, first + 2)) {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    if (amount > 0) parts.push(messages.span[unit](amount));
  }
  return parts.join(' ');
}

/** Formats a countdown with a nearly constant width: `2d 04h`, `4h 12m`, `2m 09s`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const two = (value: number) => String(value).padStart(2, '0');
  if (days > 0) return `${days}d ${two(hours)}h`;
  if (seconds >= 3_600) return `${hours}h ${two(minutes)}m`;
  return `${minutes}m ${two(seconds % 60)}s`;
}

/** Formats a time for an `<input type="datetime-local">`, which uses the device's time zone. */
export function localInput(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
