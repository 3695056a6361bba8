import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { operation } from '../contract/basics/operation.ts';
import { JsonText, serve } from './serve.ts';

const common = { method: 'get', path: '/things', tag: 'Things', summary: 'Read things', auth: 'public' } as const;
const output = z.object({ total: z.int() });
const plain = operation({ ...common, id: 'plain', status: 200, output });
const rendered = operation({ ...common, id: 'rendered', status: 200, output, rendered: true });

const data = async () => ({ total: 1 });
const json = async () => new JsonText('{"total":1}');

describe('serve', () => {
  it('pairs a rendered operation with JSON text, and every other operation with plain data', () => {
    assert.equal(serve(plain, data).spec, plain);
    assert.equal(serve(rendered, json).spec, rendered);
  });

  // The compiler is the test: it reports an expected error that does not occur.
  it('does not compile for the wrong kind of result', () => {
    // @ts-expect-error -- JSON text would bypass the output schema of an operation that is not marked `rendered`.
    serve(plain, json);
    // @ts-expect-error -- The contract says that this operation returns JSON text.
    serve(rendered, data);
    // @ts-expect-error -- Either kind is not enough: the contract names one.
    serve(rendered, async () => ((await data()).total > 0 ? await data() : await json()));
    // @ts-expect-error -- The output has a number.
    serve(plain, async () => ({ total: '1' }));
  });
});
