import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Output } from '../../contract/basics/operation.ts';
import type { recoveryOperations } from '../../contract/operator/recovery.ts';
import { readConfig } from '../../server/config.ts';
import { withTransaction } from '../../server/db/transaction.ts';
import { award } from '../../server/judging/ends/award.ts';
import { lockProject } from '../../server/projects/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter } from '../support/clients/contestants.ts';
import {
  brief,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  type OpenProject,
  registerAgent,
  registerPoster,
  requestUpload,
} from '../support/clients/journey.ts';
import { codeIs } from '../support/clients/entries.ts';
import { logLimitProxy } from '../support/money/log-limits.ts';
import { executeOutside } from '../support/money/strays.ts';
import { copyDatabase } from '../support/copy-database.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { testDatabase } from '../support/test-database.ts';
import { draw } from '../support/test-pictures.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';
import { toldEvents } from '../support/told-events.ts';

// A dump is taken before one transfer of each kind: fees, prizes paid in, prizes and shares paid out, refunds, a return,
// and withdrawals. The restored service chooses another winner. Then recoveries run: one that is killed, two at once,
// and one more. The books match the chain, nobody is paid twice, and payouts flow. The node allows 5 blocks in a request of
// logs all the time.

const USDC = 1_000_000;
const FEE = 0.25;
const withdrawnTo = newPayer();
const env = { ...NO_LIMITS, REVENUE_ADDRESS: withdrawnTo.address };
const ground = await prepareWorld({
  env,
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
  rpcUrlOf: (rpcUrl) => logLimitProxy(rpcUrl, 5),
});
const restored = await testDatabase();
const first = await ground.start();
const { url } = first;
const key = ground.operatorKey;
const market = { url, mintUsdc: ground.mintUsdc };
const operator = { url, operatorKey: key };

const operate = (path: string, body: object) => call(url, 'POST', `/operator${path}`, { key, body });
const balance = (address: string) => ground.chain.balanceMicro(address);
const treasuryMicro = () => balance(ground.treasury);

// Entries that look alike would not share a prize.
let pictures = 0;

async function judged(entrants: number): Promise<{ project: OpenProject; entries: Contestant[] }> {
  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: FEE });
  const entries: Contestant[] = [];
  while (entries.length < entrants) {
    const picture = Buffer.from(
      await draw((pictures += 1))
        .png()
        .toBuffer(),
    );
    entries.push(await enter(market, project, { picture }));
  }
  return { project, entries };
}

async function draftOf(poster: { key: string }, prizeUsdc: number): Promise<string> {
  const body = brief({ prizeUsdc, entryFeeUsdc: FEE });
  const answer = expectStatus(await call(url, 'POST', '/posters/me/projects', { key: poster.key, body }), 201);
  return answer.body.data.project.id as string;
}

const publish = async (poster: { key: string }, id: string, pay: typeof fetch) =>
  expectStatus(await call(url, 'POST', `/posters/me/projects/${id}/publish`, { key: poster.key, fetch: pay }), 200);

const settledPayouts = (db: typeof ground.db, count: number) =>
  until(`${count} settled payouts`, async () => {
    const [row] = await db<[{ settled: number; open: number }]>`
      select count(*) filter (where state = 'settled')::int as settled, count(*) filter (where state <> 'settled')::int as open
      from payouts`;
    return row.settled === count && row.open === 0;
  });

async function statusOf(db: typeof ground.db, id: string) {
  const [row] = await db<[{ status: string; winner: string | null }]>`
    select status, winner_submission_id as winner from projects where id = ${id}`;
  return [row.status, row.winner];
}

// What exists before the dump.
const done = await judged(1);
expectStatus(await close(market, done.project), 200);
expectStatus(await choose(market, done.project, done.entries[0]!), 200);
await settledPayouts(ground.db, 1);
const feeProject = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: FEE });
const [linked] = done.entries as [Contestant];
const linkedIntent = await createIntent(url, linked.key, feeProject.id);
const newcomer = await registerAgent(url);
const newcomerIntent = await createIntent(url, newcomer.key, feeProject.id);
const newcomerPayer = newPayer();
const draft = await draftOf(feeProject.poster, 2);
const unknownPoster = await registerPoster(url);
const canceledDraft = await draftOf(unknownPoster, 3);
const [awarded, rivaled, canceled, shared] = [await judged(2), await judged(2), await judged(1), await judged(2)];
for (const each of [awarded, rivaled, shared]) expectStatus(await close(market, each.project), 200);
await ledger(operator);
await copyDatabase(ground.db, restored.db);

// What the dump does not know.
const draftFunder = feeProject.funder;
const canceledFunder = newPayer();
const strayPayer = newPayer();
for (const [payer, usdc] of [
  [draftFunder, 2],
  [canceledFunder, 3],
  [strayPayer, 1],
  [newcomerPayer, 1],
] as const)
  await ground.mintUsdc(payer.address, usdc * USDC);
const pictureBytes = 1000;
const uploadOf = (who: { key: string }, submissionId: string, pay?: typeof fetch) =>
  requestUpload(url, {
    key: who.key,
    projectId: feeProject.id,
    submissionId,
    sizeBytes: pictureBytes,
    ...(pay ? { fetch: pay } : {}),
  });
const refusal = await uploadOf(newcomer, newcomerIntent.id);
await executeOutside(ground.rpcUrl, strayPayer, refusal);
await ledger(operator);
const listed = expectStatus(await call(url, 'GET', '/operator/strays?state=unclaimed', { key }), 200).body.data.strays;
const stray = (listed as { id: string; sender: string }[]).find(({ sender }) => sender === strayPayer.address);
expectStatus(await operate(`/strays/${stray?.id}/return`, { reason: 'A mistake' }), 200);
expectStatus(await uploadOf(linked, linkedIntent.id, linked.payer.pay), 200);
expectStatus(await uploadOf(newcomer, newcomerIntent.id, newcomerPayer.pay), 200);
await publish(feeProject.poster, draft, draftFunder.pay);
await publish(unknownPoster, canceledDraft, canceledFunder.pay);
expectStatus(await operate(`/projects/${canceledDraft}/cancel`, { reason: 'A test' }), 200);
expectStatus(await choose(market, awarded.project, awarded.entries[0]!), 200);
expectStatus(await choose(market, rivaled.project, rivaled.entries[0]!), 200);
expectStatus(await operate(`/projects/${canceled.project.id}/cancel`, { reason: 'A test' }), 200);
expectStatus(await operate(`/projects/${shared.project.id}/acts/share`, { reason: 'A test' }), 200);
const withdrawals = [
  { amount_usdc: 0.01, reason: 'Costs' },
  // The operator noted its id.
  { amount_usdc: 0.02, reason: 'Costs', withdrawal_id: randomUUIDv7() },
] as const;
for (const withdrawal of withdrawals) expectStatus(await operate('/withdrawals', withdrawal), 201);
// The return, the refunds of two projects and a fee, two prizes, two shares with two fees, and the withdrawals.
await settledPayouts(ground.db, 13);
const parties = [linked, ...awarded.entries, ...rivaled.entries, ...canceled.entries, ...shared.entries].map(
  ({ payer }) => payer.address,
);
parties.push(draftFunder.address, canceledFunder.address, strayPayer.address, withdrawnTo.address);
const paid = new Map<string, number>();
for (const address of parties) paid.set(address, await balance(address));
const heldMicro = await treasuryMicro();
await first.running.kill('SIGKILL');

// The restore.
const startAgain = () => ground.start(Number(new URL(url).port), restored.url);
const service = await startAgain();
const run = () => operate('/recovery', { dry_run: false });
const recover = async (dryRun: boolean) =>
  expectStatus(await operate('/recovery', { dry_run: dryRun }), 200).body.data as Output<
    typeof recoveryOperations.recover
  >;

describe('a database that is older than the chain', () => {
  it('takes no payment from its first moment on', async () => {
    await ground.mintUsdc(linked.payer.address, USDC);
    paid.set(linked.payer.address, (paid.get(linked.payer.address) ?? 0) + USDC);
    codeIs(await uploadOf(linked, linkedIntent.id, linked.payer.pay), 503, 'INTERNAL_ERROR', /Nothing was charged/);
    assert.equal(await treasuryMicro(), heldMicro);
  });

  it('says so, ends no project, and pays nothing out', async () => {
    await until(
      'the alert',
      async () => (await toldEvents(restored.db, 'ALERT', { alert: 'recovery_needed' })).length > 0,
    );
    const late = await choose(market, rivaled.project, rivaled.entries[1]!);
    codeIs(late, 503, 'INTERNAL_ERROR', /Nothing was changed/);
    // The poster does not know that the prize was paid. Its choice was under way before the service compared.
    await withTransaction(restored.db, async (tx) => {
      const project = await lockProject(tx, { projectId: rivaled.project.id });
      const decision = { selection: 'poster', winnerId: rivaled.entries[1]!.submissionId } as const;
      const made = { project, decision, actor: `poster:${rivaled.project.poster.id}`, at: new Date() };
      await award({ newId: randomUUIDv7, config: readConfig({ NODE_ENV: 'test' }) }, tx, made);
    });
    assert.equal(await treasuryMicro(), heldMicro);
    const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text();
    assert.match(metrics, /concours_recovery_needed 1/);
  });

  it('tells in a dry run what a recovery does', async () => {
    const report = await recover(true);
    assert.deepEqual([report.unknown, report.returned, report.recovered_until], [2, 5, null], JSON.stringify(report));
    const named = report.transfers.filter(({ subject }) => subject !== null && !subject.startsWith('payout:'));
    assert.ok(named.length > 0);
    for (const each of named) assert.ok(each.parties.project && each.parties.poster, JSON.stringify(report));
    assert.equal((await restored.db`select 1 from payments where state = 'settled' and signature is null`).length, 0);
  });

  it('books a withdrawal that the operator requests again as the one that it lost', async () => {
    expectStatus(await operate('/withdrawals', withdrawals[1]), 201);
    assert.equal((await recover(true)).unknown, 1);
  });

  it('is recovered by runs of which one is killed, two meet, and one repeats', async () => {
    await service.crashAt('after the commit', 6);
    await run().catch(() => null);
    assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
    await startAgain();
    // On a busy machine, one of the two can wait too long for the other's locks. It says so, and is repeated.
    for (const { status, body } of await Promise.all([run(), run()]))
      assert.ok(status === 200 || body.error.code === 'DATABASE_ERROR', JSON.stringify(body));
    const report = await recover(false);
    const left = report.transfers.filter(({ outcome }) => outcome === 'unknown');
    assert.deepEqual(
      left.map(({ direction, wallet }) => [direction, wallet]),
      [['out', withdrawnTo.address]],
      JSON.stringify(report),
    );
    assert.equal(report.recovered_until, null);
    assert.equal(await treasuryMicro(), heldMicro);
    const [{ tx_hash: hash, log_index: index }] = left as [(typeof left)[0]];
    const adopt = (log_index: number) => operate('/recovery/adopt', { tx_hash: hash, log_index, reason: 'Costs' });
    codeIs(await adopt(index + 1), 404, 'NOT_FOUND');
    expectStatus(await adopt(index), 200);
    codeIs(await adopt(index), 404, 'NOT_FOUND');
    const last = await recover(false);
    assert.deepEqual([last.unknown, last.problems], [0, []], JSON.stringify(last));
    assert.ok(last.recovered_until);
  });

  it('has books that match the chain, and pays nobody twice', async () => {
    // The only new payout is the fee of the newcomer, whose wallet the restored database does not know.
    await until('the return', async () => (await balance(newcomerPayer.address)) === USDC);
    await settledPayouts(restored.db, 13);
    const { problems, accounts } = await ledger(operator);
    assert.deepEqual(problems, []);
    const unexplained = accounts.find(({ account }) => account === 'unexplained')?.balance_micro;
    assert.equal(unexplained, 10_000);
    for (const [address, micro] of paid) assert.equal(await balance(address), micro, address);
    assert.equal(await treasuryMicro(), heldMicro - FEE * USDC);
  });

  it('knows again how its projects ended', async () => {
    const { db } = restored;
    assert.deepEqual(await statusOf(db, awarded.project.id), ['completed', awarded.entries[0]!.submissionId]);
    assert.deepEqual(await statusOf(db, rivaled.project.id), ['completed', rivaled.entries[0]!.submissionId]);
    assert.deepEqual(await statusOf(db, canceled.project.id), ['cancelled', null]);
    assert.deepEqual(await statusOf(db, shared.project.id), ['completed', null]);
    assert.deepEqual(await statusOf(db, draft), ['open', null]);
    assert.deepEqual(await statusOf(db, canceledDraft), ['draft', null]);
    const [fee] = await db`select entry_fee_paid_micro as micro from submissions where id = ${linkedIntent.id}`;
    assert.equal(fee?.['micro'], FEE * USDC);
    const wins = async (who: Contestant) =>
      expectStatus(await call(url, 'GET', '/agents/me', { key: who.key }), 200).body.data.agent.analytics;
    const [winner, rival] = [await wins(rivaled.entries[0]!), await wins(rivaled.entries[1]!)];
    assert.deepEqual([winner.totalWins, winner.totalEarnings, rival.totalWins, rival.totalEarnings], [1, 0.95, 0, 0]);
  });
});
