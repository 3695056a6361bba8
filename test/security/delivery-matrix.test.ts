import assert from 'node:assert/strict';
import { it } from 'node:test';
import { unasked } from './delivery-matrix-requests.ts';
import { deliveryMatrix } from './delivery-matrix-suite.ts';

await deliveryMatrix('disk');

it('asks every operation whose answer has a URL, unless an excuse says why it shows no entry', () => {
  assert.deepEqual(unasked(), { missing: [], needless: [] });
});
