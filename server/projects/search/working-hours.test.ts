import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findWorkingMinute } from './working-hours.ts';

it('working hours follow the local clock of their zone', () => {
  const hours = { timezone: 'Europe/Berlin', start: '09:00', end: '17:00', weekends: false };
  const cases: [Partial<typeof hours>, string, string | null][] = [
    [{}, '2026-03-02T08:00:30Z', '2026-03-02T08:00:00Z'],
    [{}, '2026-03-02T07:59:59Z', '2026-03-02T08:00:00Z'],
    // The last minute, and Friday's end until Monday.
    [{}, '2026-03-06T15:59:59Z', '2026-03-06T15:59:00Z'],
    [{}, '2026-03-06T16:00:00Z', '2026-03-09T08:00:00Z'],
    // Over midnight, the whole day, and the end of the day.
    [{ start: '22:00', end: '06:00' }, '2026-03-03T04:59:00Z', '2026-03-03T04:59:00Z'],
    [{ start: '22:00', end: '06:00' }, '2026-03-03T05:00:00Z', '2026-03-03T21:00:00Z'],
    [{ start: '09:00', end: '09:00' }, '2026-03-03T23:30:00Z', '2026-03-03T23:30:00Z'],
    [{ end: '23:59' }, '2026-03-02T22:59:30Z', '2026-03-02T22:59:00Z'],
    // A zone of the runtime that PostgreSQL does not know.
    [{ timezone: 'SystemV/PST8' }, '2026-03-02T16:59:00Z', '2026-03-02T17:00:00Z'],
    // Daylight saving time skips 02:00 to 03:00 on March 29.
    [{ start: '02:15', end: '02:45', weekends: true }, '2026-03-28T23:00:00Z', '2026-03-30T00:15:00Z'],
  ];
  for (const [change, now, expected] of cases) {
    const found = findWorkingMinute({ ...hours, ...change }, new Date(now));
    assert.deepEqual(found, expected === null ? null : new Date(expected), `${now} ${JSON.stringify(change)}`);
  }
});
