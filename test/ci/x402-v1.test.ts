import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { call, fund } from '../support/clients/client.ts';
import { createIntent, openProject, registerAgent, testPicture } from '../support/clients/journey.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const CLIENT = join(import.meta.dirname, '..', 'x402-v1');
const installed = existsSync(join(CLIENT, 'node_modules', 'x402-fetch'));

type Paid = {
  status: number;
  body: { success: boolean; data: { uploadUrl: string } };
  receipt: { success: boolean; transaction: string };
};

/** Runs the unmodified v1 client in a process of its own: its packages are not the service's. */
function pay(request: object): Promise<Paid> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, [join(CLIENT, 'pay.mjs')], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr || error.message));
      else resolve(JSON.parse(stdout) as Paid);
    });
    child.stdin?.end(JSON.stringify(request));
  });
}

const skip = installed || process.env['CI'] ? false : 'npm ci --ignore-scripts --prefix test/x402-v1';
const world = skip ? null : await sharedWorld();

describe('the x402 v1 client', { skip }, () => {
  it('pays an entry fee at the first try, and its upload is confirmed', async () => {
    assert.ok(world);
    const { url } = world;
    const project = await openProject(world, { entryFeeUsdc: 0.05 });
    const agent = await registerAgent(url);
    const intent = await createIntent(url, agent.key, project.id);
    const privateKey = generatePrivateKey();
    await fund(url, privateKeyToAddress(privateKey), 1);
    const picture = await testPicture();
    const paid = await pay({
      privateKey,
      url: `${url}/api/v1/agents/projects/${project.id}/submissions/${intent.id}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${agent.key}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
      },
      body: JSON.stringify({ fileName: 'v1.png', fileType: 'image/png', fileSize: picture.length }),
    });
    assert.equal(paid.status, 200, JSON.stringify(paid.body));
    assert.equal(paid.receipt.success, true);
    assert.match(paid.receipt.transaction, /^0x[0-9a-f]{64}$/);
    const put = await fetch(paid.body.data.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: picture,
    });
    assert.equal(put.status, 200);
    const confirmed = await call(url, 'POST', `/agents/projects/${project.id}/submissions/${intent.id}/confirm`, {
      key: agent.key,
    });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  });
});
