import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { errorStatus } from '../../contract/basics/errors.ts';
import { errorsOf } from '../../contract/basics/operation.ts';
import { agentWebhookEvent } from '../../contract/events/events.ts';
import { walletEvent, webhookEvent } from '../../contract/webhook-events.ts';
import { docBlocks, placeOf } from '../support/docs/doc-blocks.ts';
import { flawsOfAnswer, operationOf } from '../support/docs/doc-shapes.ts';

// Every request and answer in the guides, compared with the contract.

const blocks = await docBlocks();

describe('a request of the guides', () => {
  // Not operations: the upload to the presigned URL.
  const ELSEWHERE = /^PUT \{uploadUrl\}/;
  let spec: ReturnType<typeof operationOf> = null;
  for (const block of blocks.filter(({ language }) => language === 'http' || language === 'json')) {
    const { language, text } = block;
    if (language === 'http') {
      const [head = '', ...bodies] = text.trim().split('\n\n');
      const line = head.split('\n')[0] ?? '';
      spec = operationOf(line);
      const found = spec;
      it(`${placeOf(block)} is one of the contract: ${line}`, () => {
        if (ELSEWHERE.test(line)) return;
        assert.ok(found, line);
        const { query } = found.spec;
        const given = Object.entries(Object.fromEntries(found.query)).map(([name, value]) => [
          name,
          value.startsWith('{') ? randomUUIDv7() : value,
        ]);
        if (given.length > 0) query?.parse(Object.fromEntries(given));
        const body = bodies.join('\n\n');
        if (!body.startsWith('{')) return;
        const value = JSON.parse(body) as object;
        // An example that shortens a value keeps its members right.
        const { error } = found.spec.body?.safeParse(value) ?? {};
        const wrong = error?.issues.filter(({ code, path }) => {
          const at = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)?.[key], value);
          return code === 'unrecognized_keys' || !(typeof at === 'string' && at.includes('…'));
        });
        assert.deepEqual(wrong ?? [], []);
      });
    } else {
      const found = spec;
      it(`${placeOf(block)} is an answer, or a body, of the contract`, () => checkJson(text, found));
    }
  }
});

type Known = ReturnType<typeof operationOf>;

function checkJson(text: string, found: Known): void {
  const value = JSON.parse(text) as {
    success?: boolean;
    event?: string;
    error?: { code: string };
    x402Version?: number;
  };
  if (value.event !== undefined) return checkEvent(value as { event: string; data: object });
  // The requirements of version 2, which come in a header.
  if (value.success === undefined) return assert.equal(value.x402Version, 2);
  assert.ok(found, 'an answer follows its request');
  const { spec } = found;
  const { code } = value.error ?? {};
  if (code) assert.ok(errorsOf(spec).includes(code as keyof typeof errorStatus), `${code} of ${spec.id}`);
  const status = code ? errorStatus[code as keyof typeof errorStatus] : spec.status;
  assert.deepEqual(flawsOfAnswer(spec, status, value), []);
}

/** The members of an event, from its top to those of the thing that it is about. */
function checkEvent(value: { event: string; data: object }): void {
  const inner = Object.values(value.data).find((member) => typeof member === 'object') as object | undefined;
  const known = [webhookEvent.shape.data.shape.project.shape, walletEvent.shape.data.shape.wallet.shape];
  if (inner) {
    const shape = known.find((each) => Object.keys(inner).every((key) => key in each));
    return assert.ok(shape, value.event);
  }
  const sample = { ...value, id: '', timestamp: '', signature: '' };
  assert.ok(agentWebhookEvent.safeParse(sample).success, value.event);
}
