import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { confirm, expectStatus, putPicture, testPicture } from '../support/clients/journey.ts';
import { unpaidRequest } from '../support/clients/unpaid-request.ts';
import { outputOf } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const CLIENT = join(import.meta.dirname, '..', 'x402-v1');
const installed = existsSync(join(CLIENT, 'node_modules', 'x402-fetch'));

type Paid = {
  status: number;
  body: { success: boolean; data: { uploadUrl: string } };
  receipt: { success: boolean; transaction: string };
};

/** Runs the unmodified v1 client in a process of its own: its packages are not the service's. */
const pay = async (request: object) =>
  JSON.parse(await outputOf([join(CLIENT, 'pay.mjs')], JSON.stringify(request))) as Paid;

const skip = installed || process.env['CI'] ? false : 'npm ci --ignore-scripts --prefix test/x402-v1';
const world = skip ? null : await sharedWorld();

describe('the x402 v1 client', { skip }, () => {
  it('pays an entry fee at the first try, and its upload is confirmed', async () => {
    assert.ok(world);
    const picture = await testPicture();
    const { key, projectId, submissionId, request } = await unpaidRequest(world, 50_000, picture.length);
    const paid = await pay({ ...request, body: JSON.stringify(request.body) });
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
    assert.equal(paid.receipt.success, true);
    assert.match(paid.receipt.transaction, /^0x[0-9a-f]{64}$/);
    assert.equal(await putPicture(paid.body.data.uploadUrl, picture), 200);
    expectStatus(await confirm(world.url, key, projectId, submissionId), 200);
  });
});
