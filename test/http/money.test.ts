import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from '../../server/service.ts';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import {
  brief,
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Tests the public view of a project's money, the operator's audit trail, and the metrics, with real transfers.

const world = await startWorld({ env: { LIMIT_PUBLIC_READS_PER_MINUTE: '100000' } });
const { url, operatorKey, service } = world;
const { chain, payTo } = service.deps;
const operator = { key: operatorKey };

async function enter(projectId: string, seed: number) {
  const agent = await registerAgent(url);
  const { id } = await createIntent(url, agent.key, projectId);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  const picture = await testPicture(seed);
  const upload = await requestUpload(url, {
    key: agent.key,
    projectId,
    submissionId: id,
    sizeBytes: picture.length,
    fetch: payer.pay,
  });
  assert.equal(await putPicture(expectStatus(upload, 200).body.data.uploadUrl, picture), 200);
  expectStatus(await confirm(url, agent.key, projectId, id), 200);
  return { id, agentId: agent.id, wallet: payer.address.toLowerCase() };
}

const moneyOf = async (id: string, query = '') =>
  expectStatus(await call(url, 'GET', `/projects/${id}/money${query}`), 200).body.data;

/** Waits until the project has ended and all money has settled. The view must balance at every look. */
async function settledMoney(id: string, status: string) {
  for (let look = 0; look < 300; look += 1) {
    const money = await moneyOf(id);
    assert.equal(money.balanced, true, JSON.stringify(money));
    if (money.status === status && money.held_micro === 0) return money;
    await sleep(100);
  }
  throw new Error(`not ${status}: ${JSON.stringify(await moneyOf(id))}`);
}

describe('the money of a project', () => {
  it('shows the money in, the winner’s payout, and the platform’s part, each with its transfer', async () => {
    const { id, poster, funder } = await openProject(world, { prizeUsdc: 10 });
    const entries = [await enter(id, 1), await enter(id, 2)] as const;
    const open = await moneyOf(id);
    assert.deepEqual(
      [
        open.status,
        open.selection,
        open.balanced,
        open.held_micro,
        open.entry_fees.count,
        open.payouts,
        open.next_cursor,
      ],
      ['open', null, true, 10_500_000, 2, [], null],
    );
    expectStatus(await call(url, 'POST', `/posters/me/projects/${id}/close`, { key: poster.key }), 200);
    const body = { submission_id: entries[1].id };
    expectStatus(await call(url, 'POST', `/posters/me/projects/${id}/winner`, { key: poster.key, body }), 200);
    const money = await settledMoney(id, 'completed');
    assert.deepEqual(
      [money.selection, money.treasury, money.prize.amount_micro, money.prize.payer, money.entry_fees.total_micro],
      ['poster', payTo, 10_000_000, funder.address.toLowerCase(), 500_000],
    );
    const { tx_hash, settled_at, ...payout } = money.payouts[0];
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/);
    assert.ok(settled_at);
    assert.deepEqual(payout, {
      kind: 'prize',
      submission_id: entries[1].id,
      amount_micro: 9_500_000,
      recipient: entries[1].wallet,
      status: 'settled',
    });
    assert.deepEqual(
      [
        money.paid_out_micro,
        money.refunded_micro,
        money.platform_fee_micro,
        money.entry_fees_kept_micro,
        money.refunds,
      ],
      [9_500_000, 0, 500_000, 500_000, []],
    );
    assert.equal(await chain.balanceMicro(entries[1].wallet), 750_000 + 9_500_000);
    assert.deepEqual((await ledger(world)).problems, []);
  });

  it('lists the refunds of a canceled project in pages of one cursor', async () => {
    const { id, funder } = await openProject(world, { prizeUsdc: 3 });
    const entries = [await enter(id, 3), await enter(id, 4), await enter(id, 5)];
    expectStatus(
      await call(url, 'POST', `/operator/projects/${id}/cancel`, { ...operator, body: { reason: 'A test.' } }),
      200,
    );
    const money = await settledMoney(id, 'cancelled');
    assert.deepEqual(
      [
        money.refunded_micro,
        money.paid_out_micro,
        money.platform_fee_micro,
        money.entry_fees_kept_micro,
        money.payouts,
      ],
      [3_750_000, 0, 0, 0, []],
    );
    const recipients = new Map(
      money.refunds.map((refund: { submission_id: string | null; recipient: string }) => [
        refund.submission_id,
        refund.recipient,
      ]),
    );
    assert.deepEqual(
      recipients,
      new Map([[null, funder.address.toLowerCase()], ...entries.map((entry) => [entry.id, entry.wallet] as const)]),
    );
    assert.equal(await chain.balanceMicro(funder.address.toLowerCase()), 3_000_000);
    const seen = { fees: [] as unknown[], refunds: [] as unknown[] };
    let query = '?limit=1';
    for (let page = 1; ; page += 1) {
      assert.ok(page < 10);
      const { entry_fees, refunds, has_more, next_cursor, balanced } = await moneyOf(id, query);
      assert.equal(balanced, true);
      seen.fees.push(...entry_fees.payments);
      seen.refunds.push(...refunds);
      assert.equal(has_more, next_cursor !== null);
      if (next_cursor === null) break;
      query = `?limit=1&cursor=${next_cursor}`;
    }
    assert.deepEqual(seen, { fees: money.entry_fees.payments, refunds: money.refunds });
  });

  it('is equally missing for a draft, an unknown project, and one that is not visible yet', async () => {
    const poster = await registerPoster(url);
    const draft = expectStatus(
      await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief({}) }),
      201,
    );
    const { id: early } = await openProject(world);
    await service.deps.db`update projects set visible_at = now() + interval '1 hour' where id = ${early}`;
    const answers = [];
    for (const id of [randomUUIDv7(), draft.body.data.project.id, early])
      answers.push(withoutId(await call(url, 'GET', `/projects/${id}/money`)));
    assert.equal((answers[0] as { status: number }).status, 404);
    assert.deepEqual([answers[1], answers[2]], [answers[0], answers[0]]);
  });

  it('refuses a forged cursor', async () => {
    const { id } = await openProject(world);
    for (const cursor of ['x', 'A'.repeat(32), '!'.repeat(96), '_'.repeat(96)])
      assert.equal(
        (await call(url, 'GET', `/projects/${id}/money?cursor=${encodeURIComponent(cursor)}`)).body.error?.code,
        'INVALID_PARAMETER',
      );
  });
});

describe('the audit trail', () => {
  const read = async (query: Record<string, string>) =>
    expectStatus(await call(url, 'GET', `/operator/audit?${new URLSearchParams(query).toString()}`, operator), 200).body
      .data;

  it('has a line for every settled payment, newest first, in pages', async () => {
    const [paid] = await service.deps.db<
      { count: number }[]
    >`select count(*) as count from payments where state = 'settled'`;
    const seen: { id: string; at: string; subject: string }[] = [];
    let cursor: string | null = null;
    do {
      const page: { entries: typeof seen; next_cursor: string | null } = await read({
        action: 'payment.settle',
        limit: '7',
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.entries);
      cursor = page.next_cursor;
    } while (cursor);
    assert.equal(seen.length, paid?.count);
    assert.equal(new Set(seen.map(({ subject }) => subject)).size, seen.length);
    assert.deepEqual(
      seen.map(({ at }) => at),
      seen
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
  });

  it('names the actor, the action, and the reason', async () => {
    const { id } = await openProject(world);
    expectStatus(
      await call(url, 'POST', `/operator/projects/${id}/cancel`, {
        ...operator,
        body: { reason: 'A test of the trail.' },
      }),
      200,
    );
    const { entries } = await read({ subject: `project:${id}`, actor: 'operator' });
    assert.deepEqual(
      entries.map(({ action, reason }: { action: string; reason: string }) => [action, reason]),
      [['project.cancel', 'A test of the trail.']],
    );
    // The refund must have settled before the test reads the metrics.
    await settledMoney(id, 'cancelled');
  });

  it('refuses a forged cursor and an empty filter', async () => {
    for (const query of ['cursor=x', 'subject=', 'limit=0', 'limit=101'])
      assert.equal(
        (await call(url, 'GET', `/operator/audit?${query}`, operator)).body.error?.code,
        'INVALID_PARAMETER',
        query,
      );
  });

  it('cannot be changed', async () => {
    for (const statement of ['update audit_trail set reason = null', 'delete from audit_trail', 'truncate audit_trail'])
      await assert.rejects(service.deps.db.unsafe(statement), /append-only/);
  });
});

describe('/metrics', () => {
  it('reports books, payments, payouts, and requests without naming anyone', async () => {
    await ledger(world);
    await service.deps.db`
      update ledger_checks set chain_matches = false where id = (select id from ledger_checks order by checked_at desc limit 1)`;
    const response = await fetch(`${url}/metrics`);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of [
      /^concours_database_up 1$/m,
      /^concours_ledger_mismatch 1$/m,
      /^concours_ledger_check_age_seconds [0-9.]+$/m,
      /^concours_oldest_undecided_payment_seconds 0$/m,
      /^concours_requests_total\{operation="getLedger",status="200"\} [1-9]\d*$/m,
      /^concours_request_duration_seconds_bucket\{le="\+Inf",operation="getLedger"\} [1-9]\d*$/m,
      /^process_cpu_user_seconds_total /m,
      /^nodejs_eventloop_lag_seconds /m,
    ])
      assert.match(text, line);
    assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-|0x[0-9a-f]{40}/);
    const after = await ledger(world);
    assert.deepEqual(after.problems, []);
    assert.match(await (await fetch(`${url}/metrics`)).text(), /^concours_ledger_mismatch 0$/m);
  });

  it('needs the operator key where the money can be real', async () => {
    const config = { ...service.deps.config, development: false };
    const { app } = createService({ ...service.deps, config }, { operatorKey });
    const ask = async (headers: Record<string, string>) => {
      const env = { incoming: { socket: { remoteAddress: '192.0.2.1' } } };
      return await app.fetch(new Request('http://localhost/metrics', { headers }), env);
    };
    assert.equal((await ask({})).status, 401);
    assert.equal((await ask({ authorization: `Bearer ${operatorKey}x` })).status, 401);
    const answered = await ask({ authorization: `Bearer ${operatorKey}` });
    assert.equal(answered.status, 200);
    assert.match(await answered.text(), /^concours_ledger_mismatch 0$/m);
    app.stop();
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('getProjectMoney', 'listAudit'), []);
});
