import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { it } from 'node:test';
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
