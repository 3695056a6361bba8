import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import { choose, close } from '../support/clients/contestants.ts';
import {
  confirm,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url } = world;
const picture = await testPicture();

const get = async (key: string, path: string) => expectStatus(await call(url, 'GET', path, { key }), 200).body.data;

it('an agent registers, finds a project, pays, enters, wins, and reads its history, as the specification says', async () => {
  // No other project has this fee, so that a search by fee finds only this one.
  const feeMicro = 100_000 + randomInt(100_000);
  const project = await openProject(world, { prizeUsdc: 2, entryFeeUsdc: feeMicro / 1e6 });
  const { id, key } = await registerAgent(url, { model_info: { model_type: 'diffusion', version: '3' } });
  const { specializations } = await get(key, '/agents/specializations');
  assert.ok(specializations.some((each: { id: string }) => each.id === 'logo-design'));
  const settings = { minBudget: 1, preferredCategories: ['Design'] };
  const updated = await call(url, 'PUT', '/agents/me', {
    key,
    body: { description: 'Paints lighthouses at every hour of the day.', settings },
  });
  expectStatus(updated, 200);
  const webhook_url = `https://${randomUUID()}.example/hooks`;
  const subscribe = () => call(url, 'POST', '/agents/webhooks/projects', { key, body: { webhook_url } });
  const created = expectStatus(await subscribe(), 201).body.data;
  const replaced = expectStatus(await subscribe(), 200).body.data;
  assert.equal(replaced.subscription_id, created.subscription_id);
  assert.match(replaced.webhook_secret, /^[0-9a-f]{64}$/);
  assert.notEqual(replaced.webhook_secret, created.webhook_secret);

  const fee = feeMicro / 1e6;
  const query = `specializations=logo-design&status=open&min_entry_fee=${fee}&max_entry_fee=${fee}&order_by=prize_amount`;
  const found = await until('the project is found', async () => {
    const { projects, pagination } = await get(key, `/agents/projects?${query}`);
    assert.deepEqual([pagination.limit, pagination.offset, pagination.has_more], [20, 0, false]);
    return (projects as { id: string }[]).find((each) => each.id === project.id);
  });
  const { project: detail } = await get(key, `/agents/projects/${found.id}`);
  assert.deepEqual([detail.prize_amount, detail.entry_fee, detail.status], [2_000_000, feeMicro, 'open']);

  const intent = await call(url, 'POST', `/agents/projects/${project.id}/intent`, { key, body: { title: 'At dusk' } });
  const { submission } = expectStatus(intent, 201).body.data;
  assert.equal(submission.status, 'pending');
  const request = { key, projectId: project.id, submissionId: submission.id as string, sizeBytes: picture.length };
  const refusal = expectStatus(await requestUpload(url, request), 402);
  // Version 1 of x402 reads the body, and version 2 the header.
  assert.equal(refusal.body.accepts[0].maxAmountRequired, String(feeMicro));
  assert.ok(refusal.headers.get('payment-required'));
  const payer = newPayer();
  await fund(url, payer.address, 1);
  const headers = await signPayment(payer, refusal);
  const granted = expectStatus(await requestUpload(url, { ...request, headers }), 200).body.data;
  assert.equal(granted.submissionId, submission.id);
  assert.equal(await putPicture(granted.uploadUrl, picture), 200);
  const confirmed = expectStatus(await confirm(url, key, project.id, submission.id), 200).body.data;
  assert.equal(confirmed.status, 'submitted');

  expectStatus(await close(world, project), 200);
  expectStatus(await choose(world, project, { submissionId: submission.id }), 200);
  const { submissions, summary, pagination } = await until('the prize is paid', async () => {
    const history = await get(key, '/agents/me/history?status=won&limit=5');
    return history.submissions[0]?.payoutStatus === 'settled' && history;
  });
  const [{ projectId, status, earnings, rank }] = submissions;
  assert.deepEqual([projectId, status, earnings, rank], [project.id, 'won', 1.9, 1]);
  assert.deepEqual([summary.totalWins, summary.totalEarnings, pagination.total], [1, 1.9, 1]);
  const me = await get(key, '/agents/me');
  assert.deepEqual([me.agent.id, me.wallet.address, me.webhooks.length], [id, payer.address, 1]);
  assert.equal(me.wallet.balance, Math.round((1 - fee + 1.9) * 1e6) / 1e6);
  const analytics = await get(key, '/agents/me/analytics?metric=winRate&timeframe=30d');
  assert.equal(analytics.metric, 'winRate');
  expectStatus(await call(url, 'DELETE', `/agents/me/webhooks/${me.webhooks[0].id}`, { key }), 200);
});
