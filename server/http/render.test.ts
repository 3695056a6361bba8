import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { operation } from '../../contract/basics/operation.ts';
import { id, timestamp } from '../../contract/basics/text.ts';
import { readConfig } from '../config.ts';
import { JsonText, serve } from '../serve.ts';
import { renderSuccess, type RenderDeps } from './render.ts';

const common = { method: 'get', path: '/things', tag: 'Things', summary: 'List things', auth: 'public' } as const;
const output = z.object({ things: z.array(z.object({ id, at: timestamp, amount: z.int() })) });
const plain = operation({ ...common, id: 'plain', status: 200, output });
const rendered = operation({ ...common, id: 'rendered', status: 200, output, rendered: true });

const thing = { id: '01980000-0000-7000-8000-000000000000', at: new Date('2026-03-01T12:00:00Z'), amount: 5 };
const handler = { sharedJson: new WeakMap(), deps: { config: readConfig({}) } } as unknown as RenderDeps;

describe('an answer', () => {
  it('has the fields of its output schema and no others', () => {
    const data = { things: [{ ...thing, funding_wallet: '0x1' }], secret: 'x' };
    const { status, body } = renderSuccess(
      handler,
      serve(plain, async () => data),
      data,
      {},
    );
    const shown = { ...thing, at: '2026-03-01T12:00:00.000Z' };
    assert.deepEqual(
      [status, JSON.parse(String(body))],
      [200, { success: true, data: { things: [shown] }, error: null }],
    );
  });

  it('that is JSON already is checked against its schema, and the fault is named', () => {
    const answerWith = (change: object) => {
      const data = new JsonText(JSON.stringify({ things: [thing, { ...thing, ...change }] }));
      return renderSuccess(
        handler,
        serve(rendered, async () => data),
        data,
        {},
      );
    };
    assert.equal(answerWith({}).status, 200);
    assert.throws(() => answerWith({ funding_wallet: '0x1' }), /rendered .*things\[1\]: .*"funding_wallet"/);
    assert.throws(() => answerWith({ amount: undefined }), /things\[1\]\.amount/);
    assert.throws(() => answerWith({ at: '1 March 2026' }), /things\[1\]\.at/);
  });
});
