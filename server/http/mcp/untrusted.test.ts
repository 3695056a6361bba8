import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { eventOperations } from '../../../contract/events/events.ts';
import { plainSchema } from './json-schema.ts';
import { markUntrusted, markUntrustedSchema, untrustedFields } from './untrusted.ts';

const output = z.object({
  projects: z.array(z.object({ title: z.string(), poster: z.object({ name: z.string(), id: z.string() }).nullable() })),
  title: z.string(),
});
const fields = untrustedFields(['projects.title', 'projects.poster.name']);

describe('the text of strangers', () => {
  it('is renamed in the data and in the schema alike, and nowhere else', () => {
    const data = {
      projects: [
        { title: 'a', poster: { name: 'b', id: 'c' } },
        { title: 'd', poster: null },
      ],
      title: 'e',
    };
    const marked = markUntrusted(data, fields);
    assert.deepEqual(marked, {
      projects: [
        { untrusted_title: 'a', poster: { untrusted_name: 'b', id: 'c' } },
        { untrusted_title: 'd', poster: null },
      ],
      title: 'e',
    });
    const schema = z.fromJSONSchema(markUntrustedSchema(plainSchema(output, 'output'), fields));
    assert.deepEqual(schema.parse(marked), marked);
    assert.throws(() => schema.parse(data));
  });

  it('is renamed in each shape of a union', () => {
    const schema = markUntrustedSchema(
      plainSchema(eventOperations.listPosterEvents.output, 'output'),
      untrustedFields(['events.data.reason']),
    );
    const text = JSON.stringify(schema);
    assert.equal(text.match(/"untrusted_reason":/g)?.length, 3);
    assert.doesNotMatch(text, /"reason"/);
  });

  it('is never forgotten because a field got another name', () => {
    assert.throws(() => markUntrustedSchema(plainSchema(output, 'output'), untrustedFields(['projects.name'])), {
      message: 'an output has no projects.name',
    });
  });
});
