import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
import { z } from 'zod';
import { agentEventData } from '../../../contract/events/agent-events.ts';
import { marketEventData } from '../../../contract/events/market-events.ts';
import { posterEventData } from '../../../contract/events/poster-events.ts';
import { sampleData } from '../accounts/sample-event.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { findEvents, type NewEvent, recordEvents } from '../../events/public.ts';
import { sentRequest } from '../delivery/public.ts';
import { loggedEvent } from './event-body.ts';

const { db } = await testDatabase();

// PostgreSQL orders keys and writes numbers and texts in its own way.
const odd = {
  project_id: randomUUIDv7(),
  amount_micro: 1e21,
  small: 1e-7,
  zero: -0,
  text: '"data": , \u2028 \u007f \ud83d\uddfc',
  nested: { b: [1, { 10: 'ten', 2: 'two', a: null }], '': true },
};

for (const account of ['agent', 'poster'])
  it(`an event of the log of ${account}s is the JSON that a receiver restores from it`, async () => {
    const id = randomUUIDv7();
    const accountId = randomUUIDv7();
    // The type of events knows no such data.
    const event = { id, [account]: accountId, type: 'WEBHOOK.DISABLED', data: odd } as unknown as NewEvent;
    await db.begin((tx) => recordEvents({ newId: randomUUIDv7 }, tx, new Date(), [event]));
    const [read] = await findEvents(db, [{ id, stream: `${account}:${accountId}` }]);
    const { body } = sentRequest(loggedEvent(read ?? assert.fail('not in the log')));
    assert.equal(JSON.stringify(JSON.parse(body)), body);
    assert.deepEqual((JSON.parse(body) as { data: unknown }).data, { ...odd, zero: 0 });
  });

for (const [kind, table] of [
  ['agent', { ...marketEventData, ...agentEventData }],
  ['poster', posterEventData],
] as const)
  it(`each type of ${kind}s has a sample that is one of its events, member by member`, () => {
    for (const [type, schema] of Object.entries<z.ZodObject>(table)) {
      const sample = sampleData(kind, type);
      assert.deepEqual(z.parse(schema, sample), sample, type);
    }
  });

it('a type of other accounts has no sample', () => {
  assert.equal(sampleData('agent', 'ENTRY.CONFIRMED'), undefined);
  assert.equal(sampleData('poster', 'toString'), undefined);
});
