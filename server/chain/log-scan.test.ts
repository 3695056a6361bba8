import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { it } from 'node:test';
import { numberToHex } from 'viem';
import { refusals } from '../../test/support/money/log-limits.ts';
import { type RpcRequest, sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { createLogScan } from './log-scan.ts';
import { networks } from './networks.ts';
import { nodeClient } from './node-client.ts';

const network = networks['eip155:84532'];

/** A node with one log in each block. `refuse` answers requests of more blocks than `limit`. */
async function nodeWith(limit: number, refuse: (id: number, response: ServerResponse) => void, timeoutMs = 5_000) {
  const asked: number[] = [];
  const node = { limit };
  const rpcUrl = await serveHttp(({ body }, response) => {
    const { id, params } = JSON.parse(body) as RpcRequest;
    const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
    const [from, blocks] = [Number(fromBlock), Number(toBlock) - Number(fromBlock) + 1];
    asked.push(blocks);
    if (blocks > node.limit) return refuse(id, response);
    const result = Array.from({ length: blocks }, (_, index) => ({ blockNumber: numberToHex(from + index) }));
    return sendJson(response, 200, { jsonrpc: '2.0', id, result });
  });
  const scan = createLogScan(nodeClient({ network, rpcUrl, timeoutMs, retryCount: 0 }), network.usdc.address);
  const blocks = async (from: number, to: number) => {
    const found: number[] = [];
    for await (const { blockNumber } of scan.logs([], from, to)) found.push(Number(blockNumber));
    return found;
  };
  return { node, scan, asked, blocks };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

for (const [name, refuse] of Object.entries(refusals))
  it(`reads each log once from a node that allows 5 blocks and says so by ${name}`, async () => {
    const { blocks, asked, scan } = await nodeWith(5, refuse);
    assert.equal(await scan.probe(10_000), 3);
    assert.deepEqual(await blocks(100, 400), range(100, 400));
    // It found the limit, and tries more only now and then.
    asked.length = 0;
    assert.deepEqual(await blocks(401, 801), range(401, 801));
    assert.equal(asked[0], 5);
    assert.ok(asked.length < 100, String(asked.length));
  });

it('reads from a node that allows one block, and grows when it allows more', async () => {
  const { node, blocks, asked } = await nodeWith(1, refusals['HTTP 400 and code -32600']);
  assert.deepEqual(await blocks(0, 30), range(0, 30));
  node.limit = 2000;
  assert.deepEqual(await blocks(31, 30_000), range(31, 30_000));
  assert.ok(asked.includes(2000));
  asked.length = 0;
  assert.deepEqual(await blocks(0, 1999), range(0, 1999));
  assert.deepEqual(asked, [2000]);
});

it('reads from a node that does not answer long ranges, in a later scan at the latest', async () => {
  const { blocks, asked } = await nodeWith(5, () => {}, 100);
  for (let scans = 1; ; scans += 1) {
    asked.length = 0;
    const found = await blocks(0, 20).catch(() => null);
    assert.ok(scans < 5);
    if (found === null) continue;
    assert.deepEqual(found, range(0, 20));
    break;
  }
});

it('fails when the node refuses one block, or answers no list, and then asks for as much as before', async () => {
  const { node, blocks, asked, scan } = await nodeWith(2000, refusals['code -32005']);
  await blocks(0, 1999);
  node.limit = 0;
  await assert.rejects(scan.probe(0));
  await assert.rejects(blocks(0, 1999));
  node.limit = 2000;
  asked.length = 0;
  assert.deepEqual(await blocks(0, 1999), range(0, 1999));
  assert.deepEqual(asked, [2000]);
});
