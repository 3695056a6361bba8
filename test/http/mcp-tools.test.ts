import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { picture } from '../support/clients/entries.ts';
import { openProject } from '../support/clients/journey.ts';
import { codeOf, entryArgs, MCP_FILE, newMcpAgent } from '../support/mcp/mcp-accounts.ts';
import { errorOf, payFor, payTool, useTool } from '../support/mcp/mcp.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const FEE_MICRO = 250_000;
const ROUNDS = 3;

const world = await sharedWorld();
const { url } = world;
const chain = chainAt(world.rpcUrl);
const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
const entry = entryArgs(project.id);

describe('a payment over MCP', () => {
  it('is asked for as x402 says, and the 402 fits the schema of the output', async () => {
    const { client } = await newMcpAgent(url);
    const { tools } = await client.listTools();
    const refusal = await client.callTool({ name: 'enter_project', arguments: { ...entry, max_spend: 1 } });
    const required: ParsedJson = refusal.structuredContent;
    assert.deepEqual([refusal.isError, required.x402Version, required.accepts[0].amount], [true, 2, String(FEE_MICRO)]);
    const [first, second] = refusal.content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    assert.deepEqual(first['x402/error'], { code: 402, message: required.error, data: required });
    assert.equal(second.error.code, 'PAYMENT_REQUIRED');
    const schema = tools.find(({ name }) => name === 'enter_project')?.outputSchema;
    z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).parse(required);
  });

  it('is never above max_spend, and nothing is reserved for a fee above it', async () => {
    const { client, payer } = await newMcpAgent(url);
    const cheap = { ...entry, max_spend: 0.1 };
    assert.equal(await codeOf({ client }, 'enter_project', cheap), 'BUDGET_EXCEEDED');
    assert.deepEqual((await useTool(client, 'my_entries')).submissions, []);
    const refusal = await client.callTool({ name: 'enter_project', arguments: { ...entry, max_spend: 1 } });
    assert.equal(await codeOf({ client }, 'enter_project', cheap), 'BUDGET_EXCEEDED');
    const meta = { 'x402/payment': await payFor(payer, refusal) };
    const paid = await client.callTool({ name: 'enter_project', arguments: cheap, _meta: meta });
    assert.equal(errorOf(paid).code, 'BUDGET_EXCEEDED');
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
    assert.equal(await codeOf({ client }, 'enter_project', entry), 'VALIDATION_ERROR');
  });

  it('that is malformed, or signed for another amount, is refused with the price', async () => {
    const { client, payer } = await newMcpAgent(url);
    const args = { ...entry, max_spend: 1 };
    const refusal = await client.callTool({ name: 'enter_project', arguments: args });
    const payment: ParsedJson = await payFor(payer, refusal);
    payment.payload.authorization.value = '1';
    for (const sent of [payment, 'pay', { x402Version: 1 }, { x402Version: 2, payload: {} }]) {
      const refused = await client.callTool({
        name: 'enter_project',
        arguments: args,
        _meta: { 'x402/payment': sent },
      });
      assert.equal(errorOf(refused).code, 'PAYMENT_FAILED', JSON.stringify(sent));
      assert.equal((refused.structuredContent as ParsedJson).accepts[0].amount, String(FEE_MICRO));
    }
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
  });

  it('is reported with an error that comes after it, and the next call needs none', async () => {
    const { client, payer } = await newMcpAgent(url);
    const bad = { ...entry, max_spend: 1, file_base64: Buffer.from('no picture').toString('base64') };
    const refused = await payTool(client, payer, 'enter_project', bad);
    const { _meta: meta, structuredContent }: ParsedJson = refused;
    assert.equal(errorOf(refused).code, 'VALIDATION_ERROR');
    assert.equal(meta['x402/payment-response'].success, true);
    assert.equal(structuredContent, undefined);
    const { status, entry_fee_paid } = await useTool(client, 'enter_project', { ...entry, max_spend: 0 });
    assert.deepEqual([status, entry_fee_paid], ['submitted', FEE_MICRO]);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
  });

  it('of two calls at once is charged once, and makes one entry', async () => {
    // Each round meets another order of the two uploads and the confirmation.
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { client, payer } = await newMcpAgent(url);
      const args = { ...entry, max_spend: 1 };
      const refusal = await client.callTool({ name: 'enter_project', arguments: args });
      const meta = { 'x402/payment': await payFor(payer, refusal) };
      const paid = () => client.callTool({ name: 'enter_project', arguments: args, _meta: meta });
      await Promise.all([paid(), paid()]);
      const { submissions } = await useTool(client, 'my_entries');
      assert.deepEqual(
        submissions.map((each: ParsedJson) => [each.status, each.entry_fee_paid]),
        [['submitted', FEE_MICRO]],
      );
      assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
    }
  });

  it('buys a file of a set, names the other items first, and says what a confirmed entry lacks', async () => {
    const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 3 } });
    const { client } = await newMcpAgent(url);
    const args = { ...entry, project_id: set.id, max_spend: 0 };
    const first = await useTool(client, 'enter_project', args);
    assert.deepEqual([first.status, first.upload, first.items_missing], ['pending', null, [2, 3]]);
    assert.deepEqual([first.next.tool, first.next.arguments], ['enter_project', { project_id: set.id, item: 2 }]);
    assert.match(first.next.why, /2, 3.*confirm_entry.*cannot be added afterwards/);
    const again = await useTool(client, 'enter_project', args);
    assert.deepEqual(again, first, 'a repeated call changes nothing');
    const second = await useTool(client, 'enter_project', { ...args, ...first.next.arguments });
    assert.deepEqual(second.next.arguments.item, 3);
    const confirmed = await useTool(client, 'confirm_entry', {
      project_id: set.id,
      submission_id: first.submission_id,
      items: 2,
    });
    assert.deepEqual(confirmed.items, [1, 2]);
    const late = await useTool(client, 'enter_project', { ...args, item: 3 });
    assert.deepEqual([late.status, late.items_missing], ['submitted', [3]]);
  });

  it('confirms no other picture than the one that it carries', async () => {
    const free = await openProject(world, { entryFeeUsdc: 0 });
    const { client } = await newMcpAgent(url);
    const { file_base64: _picture, ...described } = { ...entry, project_id: free.id, max_spend: 0 };
    const granted = await useTool(client, 'enter_project', { ...described, fileSize: picture.length });
    assert.equal(granted.next.tool, 'confirm_entry');
    const put = await fetch(granted.upload.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': MCP_FILE.fileType },
      body: new Uint8Array(picture),
    });
    assert.equal(put.status, 200);
    for (const other of [Buffer.concat([picture, Buffer.of(0)]), Buffer.from(picture).fill(0, picture.length - 1)]) {
      const refused = await client.callTool({
        name: 'enter_project',
        arguments: { ...described, file_base64: other.toString('base64') },
      });
      assert.match(errorOf(refused).message, /another file is uploaded for item 1/);
    }
    const entered = await useTool(client, 'enter_project', { ...described, file_base64: entry.file_base64 });
    assert.deepEqual([entered.status, entered.items_missing], ['submitted', []]);
  });
});
