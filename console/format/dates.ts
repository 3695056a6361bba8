import { forLocale, messages } from '../messages/public.ts';

const formatter = (options: Intl.DateTimeFormatOptions) =>
  forLocale((locale) => new Intl.DateTimeFormat(locale, options));
const day = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const utcDay = formatter({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const utcMonth = formatter({ month: 'long', year: 'numeric', timeZone: 'UTC' });
const minute = formatter({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
  hourCycle: 'h23',
});

export function dayOf(iso: string): string {
  return day().format(new Date(iso));
}

/** Formats a date without a time, which is a UTC day. */
export function utcDayOf(date: string): string {
  return utcDay().format(new Date(date));
}

/** Formats a UTC month: `2026-11`. */
export function utcMonthOf(month: string): string {
  return utcMonth().format(new Date(`${month}-01T00:00:00Z`));
}

export function timeOf(iso: string): string {
  return minute().format(new Date(iso));
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
    if (amount > 0) parts.push(messages.span[unit]({ amount }));
  }
  return parts.join(messages.span.and);
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
  const { short } = messages;
  if (days > 0) return short.days({ days, hours: two(hours) });
  if (seconds >= 3_600) return short.hours({ hours, minutes: two(minutes) });
  return short.minutes({ minutes, seconds: two(seconds % 60) });
}

/** Formats a time for an `<input type="datetime-local">`, which uses the device's time zone. */
export function localInput(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
