import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// GET /agents/projects/recommended at times that the test sets, and its answers about working hours.

const world = await startWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000', LIMIT_AGENT_READS_PER_MINUTE: '10000' },
});
const { url, clock, errors } = world;

type Case = [time: string, within: boolean, nextStart?: string];

async function hold(workingHours: object, cases: Case[]): Promise<void> {
  const { key } = await registerAgent(url);
  expectStatus(await call(url, 'PUT', '/agents/me', { key, body: { settings: { workingHours } } }), 200);
  for (const [time, within, nextStart = null] of cases) {
    const answer = await clock.at(time, () => call(url, 'GET', '/agents/projects/recommended', { key }));
    assert.deepEqual(
      expectStatus(answer, 200).body.data.availability,
      { autoParticipate: false, withinWorkingHours: within, nextStart },
      `${time} ${JSON.stringify(workingHours)}`,
    );
  }
}

const berlin = { timezone: 'Europe/Berlin', start: '09:00', end: '17:00', weekends: true };

describe('working hours', () => {
  it('are the whole day by default, from the first to the last millisecond', async () => {
    await hold({}, [
      ['2026-12-05T00:00:00.000Z', true],
      ['2026-12-05T23:59:59.999Z', true],
    ]);
    await hold({ start: '09:00', end: '23:59' }, [
      ['2026-12-05T23:59:59.999Z', true],
      ['2026-12-06T00:00:00.000Z', false, '2026-12-06T09:00:00.000Z'],
    ]);
  });

  it('begin with their first millisecond and end before the first one of `end`', async () => {
    await hold(berlin, [
      ['2026-12-07T07:59:59.999Z', false, '2026-12-07T08:00:00.000Z'],
      ['2026-12-07T08:00:00.000Z', true],
      ['2026-12-07T15:59:59.999Z', true],
      ['2026-12-07T16:00:00.000Z', false, '2026-12-08T08:00:00.000Z'],
    ]);
    await hold({ ...berlin, start: '09:07', end: '09:08' }, [
      ['2026-12-07T08:06:59.999Z', false, '2026-12-07T08:07:00.000Z'],
      ['2026-12-07T08:07:59.999Z', true],
      ['2026-12-07T08:08:00.000Z', false, '2026-12-08T08:07:00.000Z'],
    ]);
    await hold({ ...berlin, end: '09:00' }, [
      ['2026-12-07T07:59:59.999Z', true],
      ['2026-12-07T08:00:00.000Z', true],
    ]);
  });

  it('exclude Saturday and Sunday in the agent’s zone if weekends are off', async () => {
    const weekdays = { ...berlin, weekends: false };
    await hold(weekdays, [
      ['2026-12-04T15:59:59.999Z', true],
      ['2026-12-04T16:00:00.000Z', false, '2026-12-07T08:00:00.000Z'],
      ['2026-12-05T12:00:00.000Z', false, '2026-12-07T08:00:00.000Z'],
      ['2026-12-06T23:00:00.000Z', false, '2026-12-07T08:00:00.000Z'],
    ]);
    await hold({ ...weekdays, start: '00:00', end: '23:59' }, [
      ['2026-12-04T22:59:59.999Z', true],
      ['2026-12-04T23:00:00.000Z', false, '2026-12-06T23:00:00.000Z'],
      ['2026-12-06T22:59:59.999Z', false, '2026-12-06T23:00:00.000Z'],
      ['2026-12-06T23:00:00.000Z', true],
    ]);
    // When it is Monday in Kiritimati, it is Sunday in Honolulu.
    const monday = '2026-12-06T10:00:00.000Z';
    await hold({ ...weekdays, timezone: 'Pacific/Kiritimati', start: '00:00', end: '01:00' }, [[monday, true]]);
    await hold({ ...weekdays, timezone: 'Pacific/Honolulu', start: '00:00', end: '01:00' }, [
      [monday, false, '2026-12-07T10:00:00.000Z'],
    ]);
  });

  it('cross midnight if they end before they start', async () => {
    const nights = { timezone: 'Europe/Berlin', start: '22:00', end: '06:00', weekends: false };
    await hold(nights, [
      ['2026-10-22T19:59:59.999Z', false, '2026-10-22T20:00:00.000Z'],
      ['2026-10-22T20:00:00.000Z', true],
      ['2026-10-23T03:59:59.999Z', true],
      ['2026-10-23T04:00:00.000Z', false, '2026-10-23T20:00:00.000Z'],
      ['2026-10-23T21:59:59.999Z', true],
      // Saturday. The clocks go back before Monday begins.
      ['2026-10-23T22:00:00.000Z', false, '2026-10-25T23:00:00.000Z'],
      ['2026-10-25T22:59:59.999Z', false, '2026-10-25T23:00:00.000Z'],
      ['2026-10-25T23:00:00.000Z', true],
    ]);
  });

  it('follow the wall clock when it goes forward: Berlin on 2026-03-29', async () => {
    await hold(berlin, [
      ['2026-03-28T07:59:59.999Z', false, '2026-03-28T08:00:00.000Z'],
      ['2026-03-28T16:00:00.000Z', false, '2026-03-29T07:00:00.000Z'],
      ['2026-03-29T06:59:59.999Z', false, '2026-03-29T07:00:00.000Z'],
      ['2026-03-29T14:59:59.999Z', true],
      ['2026-03-29T15:00:00.000Z', false, '2026-03-30T07:00:00.000Z'],
    ]);
    // The clock skips 02:30, so the hours start at 03:00.
    await hold({ ...berlin, start: '02:30', end: '04:00' }, [
      ['2026-03-29T00:59:59.999Z', false, '2026-03-29T01:00:00.000Z'],
      ['2026-03-29T01:00:00.000Z', true],
      ['2026-03-29T01:59:59.999Z', true],
      ['2026-03-29T02:00:00.000Z', false, '2026-03-30T00:30:00.000Z'],
    ]);
    // The clock skips these whole hours.
    await hold({ ...berlin, start: '02:10', end: '02:50' }, [
      ['2026-03-29T00:59:59.999Z', false, '2026-03-30T00:10:00.000Z'],
      ['2026-03-29T01:00:00.000Z', false, '2026-03-30T00:10:00.000Z'],
    ]);
  });

  it('follow the wall clock when it goes back: Berlin on 2026-10-25', async () => {
    await hold(berlin, [
      ['2026-10-24T15:00:00.000Z', false, '2026-10-25T08:00:00.000Z'],
      ['2026-10-25T07:59:59.999Z', false, '2026-10-25T08:00:00.000Z'],
      ['2026-10-25T15:59:59.999Z', true],
    ]);
    // The clock passes 02:30 to 03:00 twice.
    await hold({ ...berlin, start: '02:30', end: '03:00' }, [
      ['2026-10-25T00:29:59.999Z', false, '2026-10-25T00:30:00.000Z'],
      ['2026-10-25T00:59:59.999Z', true],
      ['2026-10-25T01:00:00.000Z', false, '2026-10-25T01:30:00.000Z'],
      ['2026-10-25T01:30:00.000Z', true],
      ['2026-10-25T02:00:00.000Z', false, '2026-10-26T01:30:00.000Z'],
    ]);
  });

  it('follow zones with fractional offsets, and one that changes by half an hour', async () => {
    await hold({ timezone: 'Asia/Kathmandu', start: '09:00', end: '10:00' }, [
      ['2026-12-07T03:14:59.999Z', false, '2026-12-07T03:15:00.000Z'],
      ['2026-12-07T03:15:00.000Z', true],
      ['2026-12-07T04:15:00.000Z', false, '2026-12-08T03:15:00.000Z'],
    ]);
    await hold({ timezone: 'Australia/Lord_Howe', start: '09:00', end: '10:00' }, [
      ['2026-10-02T22:29:59.999Z', false, '2026-10-02T22:30:00.000Z'],
      ['2026-10-02T23:30:00.000Z', false, '2026-10-03T22:00:00.000Z'],
      ['2026-10-03T22:00:00.000Z', true],
    ]);
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
