import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { call } from '../support/clients/client.ts';
import { entriesOf, picture } from '../support/clients/entries.ts';
import { brief, createIntent, openProject } from '../support/clients/journey.ts';
import {
  codeOf,
  entryArgs,
  MCP_FILE,
  type McpAccount,
  newMcpAgent,
  newMcpPoster,
} from '../support/mcp/mcp-accounts.ts';
import { errorOf, payFor, payTool, useTool } from '../support/mcp/mcp.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const FEE_MICRO = 250_000;
const ROUNDS = 10;

// A busy machine may need longer for a picture than an agent waits by default.
const world = await startWorld({ inspectionTimes: { waitMs: 30_000 } });
const { url, service, clock, errors } = world;
const { db, chain } = service.deps;
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

  it('that comes over MCP and HTTP at once is charged once', async () => {
    const { id, key, client, payer } = await newMcpAgent(url);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const file = { ...MCP_FILE, fileSize: picture.length };
    const args = { project_id: project.id, submission_id: submissionId, ...file, max_spend: 1 };
    const payment = await payFor(payer, await client.callTool({ name: 'request_upload', arguments: args }));
    const header = Buffer.from(JSON.stringify(payment)).toString('base64');
    const [overMcp, overHttp] = await Promise.all([
      client.callTool({ name: 'request_upload', arguments: args, _meta: { 'x402/payment': payment } }),
      call(url, 'POST', `/agents/projects/${project.id}/submissions/${submissionId}`, {
        key,
        body: file,
        headers: { 'payment-signature': header, 'x-forwarded-for': '203.0.113.7' },
      }),
    ]);
    const again = await client.callTool({
      name: 'request_upload',
      arguments: args,
      _meta: { 'x402/payment': payment },
    });
    for (const { isError } of [overMcp, again]) assert.notEqual(isError, true);
    assert.equal(overHttp.status, 200);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
    const [fees] = await db`select count(*)::int as payments from payments where subject_id = ${submissionId}`;
    assert.equal(fees?.['payments'], 1, id);
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

  it('that bought a confirmed entry can be sent again, as after a lost answer', async () => {
    const { client, payer } = await newMcpAgent(url);
    const args = { ...entry, max_spend: 1, idempotency_key: crypto.randomUUID() };
    const refusal = await client.callTool({ name: 'enter_project', arguments: args });
    const meta = { 'x402/payment': await payFor(payer, refusal) };
    const first = await client.callTool({ name: 'enter_project', arguments: args, _meta: meta });
    assert.equal((first.structuredContent as ParsedJson).status, 'submitted');
    for (const sent of [meta, {}]) {
      const again = await client.callTool({ name: 'enter_project', arguments: args, _meta: sent });
      assert.deepEqual([again.isError, again.structuredContent], [undefined, first.structuredContent]);
    }
    const { file_base64: _, ...planned } = args;
    const planning = await useTool(client, 'enter_project', { ...planned, fileSize: picture.length });
    assert.deepEqual(planning, first.structuredContent);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
  });

  it('of a prize above max_spend is not asked for', async () => {
    const { client } = await newMcpPoster(url);
    const { project: draft } = await useTool(client, 'draft_brief', brief({ prizeUsdc: 2 }));
    const args = { project_id: draft.id, max_spend: 1.999999 };
    const refused = errorOf(await client.callTool({ name: 'publish_brief', arguments: args }));
    assert.equal(refused.message, 'Not charged: 2 USDC is above max_spend (1.999999 USDC).');
  });

  it('buys a file of a set without confirming the others', async () => {
    const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 2 } });
    const { client } = await newMcpAgent(url);
    const args = { ...entry, project_id: set.id, max_spend: 0 };
    const first = await useTool(client, 'enter_project', args);
    assert.deepEqual([first.status, first.upload, first.next.tool], ['pending', null, 'confirm_entry']);
    await useTool(client, 'enter_project', { ...args, item: 2 });
    const confirmed = await useTool(client, 'confirm_entry', { ...first.next.arguments, items: 2 });
    assert.deepEqual(confirmed.items, [1, 2]);
  });
});

describe('the token of a preview', () => {
  it('chooses only its own entry, for its own poster, within 10 minutes', async () => {
    const poster = await newMcpPoster(url);
    const judged = await openProject(world, { entryFeeUsdc: 0, poster });
    const entrants = [await newMcpAgent(url), await newMcpAgent(url)];
    const ids: string[] = [];
    for (const { client } of entrants)
      ids.push(
        (await useTool(client, 'enter_project', { ...entry, project_id: judged.id, max_spend: 0 })).submission_id,
      );
    const [first, second] = ids.map((submission_id) => ({ project_id: judged.id, submission_id }));
    assert.ok(first && second);
    assert.equal(await codeOf(poster, 'choose_winner', first), 'PROJECT_STATE_CONFLICT');
    await entriesOf(world).setStatus(judged.id, 'judging');
    const { preview } = await useTool(poster.client, 'choose_winner', first);
    const token = preview.token;
    const wrong: [McpAccount, object][] = [
      [poster, { ...second, preview_token: token }],
      [await newMcpPoster(url), { ...first, preview_token: token }],
      [poster, { ...first, preview_token: `${token.slice(0, -4)}AAAA` }],
      [poster, { ...first, preview_token: 'eyJ9' }],
    ];
    for (const [account, args] of wrong) assert.equal(await codeOf(account, 'choose_winner', args), 'VALIDATION_ERROR');
    const foreign = { project_id: judged.id, submission_id: crypto.randomUUID() };
    assert.equal(await codeOf(poster, 'choose_winner', foreign), 'SUBMISSION_NOT_FOUND');
    const end = new Date(preview.expires_at);
    await clock.at(end, async () => {
      const error = errorOf(
        await poster.client.callTool({ name: 'choose_winner', arguments: { ...first, preview_token: token } }),
      );
      assert.match(error.message, /older than 10 minutes/);
    });
    await clock.at(end.getTime() - 1, async () => {
      const { chosen } = await useTool(poster.client, 'choose_winner', { ...first, preview_token: token });
      assert.equal(chosen, true);
    });
  });
});

it('logs no errors', () => assert.deepEqual(errors, []));
