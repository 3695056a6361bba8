import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import type { Deps } from '../deps.ts';
import { recordDependencyChange } from './dependency-alerts.ts';
import { numberEvents } from './number-events.ts';

const { db } = await testDatabase();
const clock = { now: () => new Date('2026-03-01T12:00:00.000Z') };
const config = { earlyAccessSeconds: 60, eventRetentionDays: 90 } as Deps['config'];
const deps = { db, reads: db, views: db, config, clock, newId: () => randomUUIDv7() };

let minute = 0;
const change = (part: string, up: boolean) =>
  recordDependencyChange(deps, { part, up, at: new Date(Date.UTC(2026, 2, 1, 12, minute++)) });

async function told(part: string): Promise<string[]> {
  const rows = await db<{ type: string }[]>`
    select type from events where stream = 'operator' and data ->> 'subject' = ${`dependency:${part}`} order by written`;
  return rows.map(({ type }) => type.replace('ALERT.DEPENDENCY_', ''));
}

it('tells each change once, although several processes see it, and again after the next change', async () => {
  assert.equal(await change('storage', true), false, 'a part that was never away is not back');
  const seen = await Promise.all(Array.from({ length: 6 }, () => change('storage', false)));
  assert.equal(seen.filter(Boolean).length, 1);
  assert.deepEqual(await told('storage'), ['DOWN']);
  // The newest event is found before and after it has its number.
  await numberEvents(deps);
  assert.equal(await change('storage', false), false);
  assert.equal(await change('chain', true), false, 'another part');
  await Promise.all([change('storage', true), change('storage', true)]);
  assert.equal(await change('storage', true), false);
  await numberEvents(deps);
  await change('storage', false);
  assert.deepEqual(await told('storage'), ['DOWN', 'BACK', 'DOWN']);
  assert.deepEqual(await told('chain'), []);
});
