import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import { agentEventData } from '../../../contract/events/agent-events.ts';
import { marketEventData } from '../../../contract/events/market-events.ts';
import { posterEventData } from '../../../contract/events/poster-events.ts';
import { sampleData } from './sample-event.ts';

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
