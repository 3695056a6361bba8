import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, newPayer } from '../support/clients/client.ts';
import { brief, expectStatus, openProject, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { newMcpAgent } from '../support/mcp/mcp-accounts.ts';
import { connectMcp, type Era, errorOf, payTool, useTool } from '../support/mcp/mcp.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// An agent and a poster that know only the address of /mcp, with the official client in both eras of the protocol.

const PRIZE_USDC = 2;
const FEE_USDC = 0.25;

const world = await sharedWorld();
const { url } = world;
const picture = await testPicture();

const agentDetails = {
  agent_name: 'Atelier',
  description: 'Paints small abstract pictures.',
  specializations: ['logo-design'],
};

for (const era of ['auto', 'legacy'] satisfies Era[]) {
  describe(`over MCP alone (${era === 'auto' ? '2026-07-28' : '2025'})`, () => {
    it('a brief is published, entered, judged, and delivered', async () => {
      const visitor = await connectMcp(url, { era });
      const posterAccount = await useTool(visitor, 'register_poster', { poster_name: 'Lighthouse Trust' });
      const agentAccount = await useTool(visitor, 'register_agent', agentDetails);
      assert.match(agentAccount.connect_again, /Bearer/);
      const poster = await connectMcp(url, { era, key: posterAccount.apiKey });
      const agent = await connectMcp(url, { era, key: agentAccount.apiKey });
      const [funder, payer] = [newPayer(), newPayer()];
      const funded = await useTool(poster, 'fund_wallet', { address: funder.address, amount_usdc: PRIZE_USDC });
      assert.equal(funded.balance_micro, PRIZE_USDC * 1e6);
      await useTool(agent, 'fund_wallet', { address: payer.address, amount_usdc: 1 });

      const draft = await useTool(poster, 'draft_brief', brief({ prizeUsdc: PRIZE_USDC, entryFeeUsdc: FEE_USDC }));
      const { id } = draft.project;
      const published = await payTool(poster, funder, 'publish_brief', { project_id: id, max_spend: PRIZE_USDC });
      const { structuredContent: opened, _meta: meta }: ParsedJson = published;
      assert.equal(opened.project.status, 'open');
      assert.equal(meta['x402/payment-response'].success, true);

      const found = await until('the project is found', async () => {
        const { projects } = await useTool(agent, 'find_projects', { status: 'open', limit: 50 });
        return (projects as ParsedJson[]).find((each) => each.id === id);
      });
      assert.equal(found.untrusted_title, 'A poster for a lighthouse festival');
      assert.equal(found.title, undefined);
      const quote = await useTool(agent, 'quote_entry', { project_id: id });
      const { until: end, why, ...next } = quote.next;
      assert.deepEqual(next, { tool: 'enter_project', arguments: { project_id: id } });
      assert.deepEqual([why, Date.parse(end) > Date.now()], ['You have no place in the project yet.', true]);
      const entered = await payTool(agent, payer, 'enter_project', {
        project_id: id,
        title: 'Lighthouse at dusk',
        fileName: 'dusk.png',
        fileType: 'image/png',
        file_base64: picture.toString('base64'),
        max_spend: FEE_USDC,
      });
      const entry = entered.structuredContent as { submission_id: string; status: string; entry_fee_paid: number };
      assert.deepEqual([entry.status, entry.entry_fee_paid], ['submitted', FEE_USDC * 1e6]);
      const mine = await useTool(agent, 'my_entries');
      assert.deepEqual(
        mine.submissions.map((each: { id: string; next: unknown }) => [each.id, each.next]),
        [[entry.submission_id, null]],
      );

      const which = { project_id: id, submission_id: entry.submission_id };
      // No tool ends entries: a poster waits for the deadline. The test does not.
      expectStatus(await call(url, 'POST', `/posters/me/projects/${id}/close`, { key: posterAccount.apiKey }), 200);
      await until('judging', async () => (await useTool(poster, 'my_briefs')).projects[0].status === 'judging');
      const listed = await useTool(poster, 'list_entries', { project_id: id });
      assert.equal(listed.submissions[0].untrusted_title, 'Lighthouse at dusk');
      assert.equal(listed.submissions[0].agent.untrusted_name, 'Atelier');
      const scored = await useTool(poster, 'score_entry', { ...which, score: 5, feedback: 'Calm water.' });
      assert.equal(scored.review.score, 5);
      const { chosen, preview } = await useTool(poster, 'choose_winner', which);
      assert.deepEqual([chosen, preview.entry.score, preview.winner_receives_micro], [false, 5, 1_900_000]);
      const choice = await useTool(poster, 'choose_winner', { ...which, preview_token: preview.token });
      assert.deepEqual([choice.chosen, choice.project.winner_submission_id], [true, entry.submission_id]);
      await until('the award', async () => (await useTool(poster, 'my_briefs')).projects[0].status === 'completed');
      const delivery = await useTool(poster, 'get_delivery', which);
      const original = await fetch(delivery.files[0].url);
      assert.deepEqual(Buffer.from(await original.arrayBuffer()), picture);
      assert.equal(delivery.files[0].untrusted_file_name, 'dusk.png');

      const account = await useTool(agent, 'my_account');
      assert.equal(account.money.fees_micro, FEE_USDC * 1e6);
      assert.equal(account.money.prizes_micro, 1_900_000);
      const told = await until('the event', async () => {
        const { events } = await useTool(agent, 'events', { types: 'SUBMISSION.CONFIRMED' });
        return (events as ParsedJson[])[0];
      });
      assert.deepEqual(told.data, which);
      await Promise.all([visitor, poster, agent].map((client) => client.close()));
    });
  });
}

describe('an agent that sends its file to the upload URL', () => {
  it('requests, uploads, and confirms by single tools, and pays once', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE_USDC });
    const { client: agent, payer } = await newMcpAgent(url);
    const file = { fileName: 'dusk.png', fileType: 'image/png', fileSize: picture.length };
    const entry = { project_id: project.id, title: 'Dusk', ...file, max_spend: 1 };
    const unpaid = await agent.callTool({ name: 'enter_project', arguments: entry });
    assert.equal(errorOf(unpaid).code, 'PAYMENT_REQUIRED');
    const [left] = (await useTool(agent, 'my_entries', { status: 'pending' })).submissions;
    assert.equal(left.next.tool, 'request_upload');
    const granted = await payTool(agent, payer, 'request_upload', { ...left.next.arguments, ...file, max_spend: 1 });
    assert.ok(granted.structuredContent);
    // Continues with the paid entry, and needs no payment.
    const again = await useTool(agent, 'enter_project', entry);
    assert.deepEqual([again.status, again.next.tool], ['pending', 'confirm_entry']);
    const put = await fetch(again.upload.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: picture,
    });
    assert.equal(put.status, 200);
    assert.equal((await useTool(agent, 'confirm_entry', again.next.arguments)).status, 'submitted');
    assert.equal((await useTool(agent, 'my_account')).money.fees_micro, FEE_USDC * 1e6);
  });
});
