import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { notSeen } from '../support/clients/check-answer.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { choose, close } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  type OpenProject,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000' } });
const { url, operatorKey, errors } = world;
const picture = await testPicture();
const FEE_MICRO = 250_000;

type Sums = {
  fees_micro: number;
  refunds_micro: number;
  prizes_micro: number;
  net_micro: number;
  pending_micro: number;
};
type Money = { total: Sums; projects: (Sums & { project_id: string })[]; pagination: { next_cursor: string | null } };

const payer = newPayer();
await fund(url, payer.address, 10);
const { key } = await registerAgent(url);

async function moneyOf(agentKey: string, query = ''): Promise<Money> {
  return expectStatus(await call(url, 'GET', `/agents/me/money${query}`, { key: agentKey }), 200).body.data as Money;
}

async function pay(entryFeeUsdc: number): Promise<OpenProject & { submissionId: string; uploadUrl: string }> {
  const project = await openProject(world, { entryFeeUsdc });
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: picture.length, fetch: payer.pay };
  const { uploadUrl } = expectStatus(await requestUpload(url, request), 200).body.data;
  return { ...project, submissionId, uploadUrl };
}

const sums = (fees: number, refunds: number, prizes: number, pending = 0): Sums => ({
  fees_micro: fees,
  refunds_micro: refunds,
  prizes_micro: prizes,
  net_micro: prizes + refunds - fees,
  pending_micro: pending,
});
const sumsOf = ({ fees_micro, refunds_micro, prizes_micro, net_micro, pending_micro }: Sums): Sums => ({
  fees_micro,
  refunds_micro,
  prizes_micro,
  net_micro,
  pending_micro,
});

describe('GET /agents/me/money', () => {
  it('is empty for a new agent, and for one that only reserved a place or entered for free', async () => {
    assert.deepEqual((await moneyOf(key)).projects, []);
    const { key: other } = await registerAgent(url);
    const { id } = await openProject(world);
    await createIntent(url, other, id);
    const money = await moneyOf(other);
    assert.deepEqual([money.total, money.projects], [sums(0, 0, 0), []]);
  });

  it('has fees, refunds, prizes, and what is owed, in total and by project, page by page', async () => {
    const won = await pay(0.25);
    const canceled = await pay(0.25);
    const open = await pay(0.25);
    const free = await pay(0);

    assert.equal(await putPicture(won.uploadUrl, picture), 200);
    expectStatus(await confirm(url, key, won.id, won.submissionId), 200);
    expectStatus(await close(world, won), 200);
    await until('judging', async () => (await choose(world, won, won)).status === 200);
    const body = { reason: 'Against the rules' };
    expectStatus(await call(url, 'POST', `/operator/projects/${canceled.id}/cancel`, { key: operatorKey, body }), 200);

    const money = await until('all is settled', async () => {
      const now = await moneyOf(key);
      // Every amount is in exactly one place, also while it is on its way.
      const { refunds_micro, prizes_micro, pending_micro } = now.total;
      assert.ok(refunds_micro + prizes_micro + pending_micro <= FEE_MICRO + 950_000);
      return now.total.prizes_micro > 0 && now.total.refunds_micro > 0 && now;
    });
    assert.deepEqual(money.total, sums(3 * FEE_MICRO, FEE_MICRO, 950_000));
    assert.deepEqual(
      money.projects.map((each) => [each.project_id, sumsOf(each)]),
      [
        [open.id, sums(FEE_MICRO, 0, 0)],
        [canceled.id, sums(FEE_MICRO, FEE_MICRO, 0)],
        [won.id, sums(FEE_MICRO, 0, 950_000)],
      ],
    );
    assert.ok(!money.projects.some(({ project_id }) => project_id === free.id));

    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Money = await moneyOf(key, `?limit=1${cursor && `&cursor=${cursor}`}`);
      assert.deepEqual(page.total, money.total);
      pages.push(...page.projects.map(({ project_id }) => project_id));
      cursor = page.pagination.next_cursor;
    }
    assert.deepEqual(pages, [open.id, canceled.id, won.id]);
  });

  it('shows a prize as pending while the agent has no wallet', async () => {
    const { key: poor } = await registerAgent(url);
    const project = await openProject(world, { entryFeeUsdc: 0 });
    const { id: submissionId } = await createIntent(url, poor, project.id);
    const request = { key: poor, projectId: project.id, submissionId, sizeBytes: picture.length };
    const { uploadUrl } = expectStatus(await requestUpload(url, request), 200).body.data;
    assert.equal(await putPicture(uploadUrl, picture), 200);
    expectStatus(await confirm(url, poor, project.id, submissionId), 200);
    expectStatus(await close(world, project), 200);
    await until('judging', async () => (await choose(world, project, { submissionId })).status === 200);
    assert.deepEqual((await moneyOf(poor)).total, sums(0, 0, 0, 950_000));
    // No agent sees the money of another one.
    assert.deepEqual((await moneyOf(key)).total, sums(3 * FEE_MICRO, FEE_MICRO, 950_000));
  });

  it('names a forged cursor and a limit out of range', async () => {
    for (const query of ['?cursor=x', '?limit=0', '?limit=101'])
      codeIs(await call(url, 'GET', `/agents/me/money${query}`, { key }), 400, 'INVALID_PARAMETER');
    assert.deepEqual(notSeen('getAgentMoney'), []);
    assert.deepEqual(errors, []);
  });
});
