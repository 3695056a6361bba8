import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { operation } from '../../../contract/basics/operation.ts';
import { eventTypes } from '../../../contract/events/events.ts';
import { operations } from '../../../contract/operations.ts';
import { id, timestamp } from '../../../contract/basics/text.ts';
import { JsonText } from '../../serve.ts';
import { checkRendered } from './rendered.ts';

const listThings = operation({
  id: 'listThings',
  method: 'get',
  path: '/things',
  tag: 'Things',
  summary: 'List things',
  auth: 'public',
  status: 200,
  rendered: true,
  output: z.object({
    things: z.array(z.object({ id, at: timestamp, ended_at: timestamp.nullable(), amount: z.int() })),
  }),
});

const thing = {
  id: '01980000-0000-7000-8000-000000000000',
  at: '2026-03-01T12:00:00.000Z',
  ended_at: null,
  amount: 5,
};

function faultOf(change: object): string {
  const text = JSON.stringify({ things: [thing, { ...thing, ...change }] });
  try {
    checkRendered(listThings, new JsonText(text));
  } catch (error) {
    return String(error);
  }
  return 'none';
}

describe('checkRendered', () => {
  it('accepts a response that matches the contract', () => {
    assert.equal(faultOf({}), 'none');
    assert.equal(faultOf({ ended_at: '2026-03-02T12:00:00.000Z' }), 'none');
  });

  it('refuses an unlisted field, and names it', () => {
    assert.match(faultOf({ funding_wallet: '0x1' }), /listThings .*things\[1\]: .*"funding_wallet"/);
  });

  it('refuses a missing field, a wrong type and a malformed time, and names the field', () => {
    assert.match(faultOf({ amount: undefined }), /things\[1\]\.amount/);
    assert.match(faultOf({ amount: '5' }), /things\[1\]\.amount/);
    assert.match(faultOf({ amount: 5.5 }), /things\[1\]\.amount/);
    assert.match(faultOf({ at: '1 March 2026' }), /things\[1\]\.at/);
    assert.match(faultOf({ ended_at: 7 }), /things\[1\]\.ended_at/);
    assert.match(faultOf({ id: 'x' }), /things\[1\]\.id/);
  });

  it('refuses text that is not JSON', () => {
    assert.throws(() => checkRendered(listThings, new JsonText('{"things":[}')), SyntaxError);
  });

  it('finds a fault in every object of the operations that are rendered', () => {
    const rendered = Object.values(operations).filter((spec) => 'rendered' in spec);
    assert.deepEqual(rendered.map((spec) => spec.id).toSorted(), [
      'listAgentEvents',
      'listOperatorEvents',
      'listPosterEvents',
      'recommendProjects',
      'searchProjects',
    ]);
    for (const spec of rendered) {
      const open = JSON.stringify(z.toJSONSchema(spec.output, { io: 'output' })).match(
        /"type":"object"(?!,"properties")/g,
      );
      // The details of an alert depend on its cause, and so do the objects in them.
      const expected = spec.id === 'listOperatorEvents' ? 2 * eventTypes.operator.length : 0;
      assert.equal(open?.length ?? 0, expected, `${spec.id} has an object that takes any field`);
    }
  });
});
