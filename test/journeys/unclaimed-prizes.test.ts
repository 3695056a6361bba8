import assert from 'node:assert/strict';
import { it } from 'node:test';
import { payUnclaimed } from '../../server/payouts/unclaimed/public.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { choose, close, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// One wallet pays for two agents. It is linked to the first, so the prize of the second has no wallet to go to.

const DAY_MS = 86_400_000;
const FEE_MICRO = 100_000;
const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;
const world = await startWorld();
const { url, clock, service, errors, operatorKey } = world;
const { chain, db } = service.deps;
const run = () => payUnclaimed(service.deps, new AbortController().signal);
const hasWallet = async ({ id, poster }: OpenProject) => {
  const path = `/posters/me/projects/${id}/submissions`;
  const [entry] = expectStatus(await call(url, 'GET', path, { key: poster.key }), 200).body.data.submissions;
  return entry.agent_has_wallet as boolean;
};
const payoutOf = async (project: OpenProject) => (await ownProject(world, project))['payout_status'];

/** Opens a project with an entry of an agent without a wallet: another agent has the wallet that paid for it. */
async function entered(entryFeeUsdc: number) {
  const deadline = new Date(clock.now().getTime() + DAY_MS);
  const other = await enter(world, await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6, deadline }));
  const project = await openProject(world, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc, deadline });
  const winner = await enter(world, project, { payer: other.payer, wallet: 'none', seed: 2 });
  return { project, winner };
}

/** Returns a project of `entered` whose prize waits for a wallet. */
async function waiting(entryFeeUsdc: number) {
  const { project, winner } = await entered(entryFeeUsdc);
  expectStatus(await close(world, project), 200);
  assert.equal(await hasWallet(project), false);
  expectStatus(await choose(world, project, winner), 200);
  await until('a payout that waits', async () => (await payoutOf(project)) === 'waiting_for_wallet');
  return { project, winner };
}

it('a prize that no wallet claims for two weeks goes to the wallet that paid the entry fee', async () => {
  const { project, winner } = await waiting(FEE_MICRO / 1e6);
  clock.offsetMs += 14 * DAY_MS - 60_000;
  await run();
  assert.equal(await payoutOf(project), 'waiting_for_wallet');
  clock.offsetMs += 2 * 60_000;
  await Promise.all([run(), run()]);
  await until('the end of the project', async () => (await ownProject(world, project))['status'] === 'completed');
  assert.equal(
    await chain.balanceMicro(winner.payer.address),
    FUNDS_MICRO - 2 * FEE_MICRO + RECEIVES_MICRO,
    'once, and to the payer',
  );
  const path = `/posters/me/projects/${project.id}/submissions/${winner.submissionId}/delivery`;
  expectStatus(await call(url, 'GET', path, { key: project.poster.key }), 200);
  const trail = await db`select 1 from audit_trail where action = 'payout.pay_unclaimed'`;
  assert.equal(trail.length, 1);
});

it('a share that no wallet claims for two weeks goes to the wallet that paid the entry fee', async () => {
  const { project, winner } = await entered(FEE_MICRO / 1e6);
  const sharing = await enter(world, project, { seed: 3 });
  expectStatus(await close(world, project), 200);
  const share = `/operator/projects/${project.id}/share`;
  expectStatus(await call(url, 'POST', share, { key: operatorKey, body: { reason: 'Both are good' } }), 200);
  await until('the other share', async () => (await chain.balanceMicro(sharing.payer.address)) > FUNDS_MICRO);
  assert.notEqual((await ownProject(world, project))['status'], 'completed');
  clock.offsetMs += 15 * DAY_MS;
  await run();
  await until('the end of the project', async () => (await ownProject(world, project))['status'] === 'completed');
  // Shares give the entry fees back.
  const halfMicro = RECEIVES_MICRO / 2;
  assert.equal(await chain.balanceMicro(sharing.payer.address), FUNDS_MICRO + halfMicro);
  assert.equal(await chain.balanceMicro(winner.payer.address), FUNDS_MICRO - FEE_MICRO + halfMicro);
});

it('a wallet that the agent links within the two weeks gets the prize', async () => {
  const { project, winner } = await waiting(FEE_MICRO / 1e6);
  const own = newPayer();
  clock.offsetMs += 13 * DAY_MS;
  // While the row is locked, the job that gives linked wallets passes it by. This work would wait for it, if it meant it.
  await db.begin(async (tx) => {
    await tx`select 1 from payouts where project_id = ${project.id} for update`;
    expectStatus(await linkPayer(url, winner.key, own), 200);
    assert.equal(await hasWallet(project), true);
    clock.offsetMs += 2 * DAY_MS;
    await run();
  });
  await until('the end of the project', async () => (await ownProject(world, project))['status'] === 'completed');
  assert.equal(await chain.balanceMicro(own.address), RECEIVES_MICRO);
});

it('a prize of an agent that named another wallet goes on waiting', async () => {
  const { project, winner } = await waiting(FEE_MICRO / 1e6);
  await db`update agents set wallet_address = ${newPayer().address} where id = ${winner.id}`;
  clock.offsetMs += 15 * DAY_MS;
  await run();
  assert.equal(await payoutOf(project), 'waiting_for_wallet');
});

it('a prize of an agent that is suspended, and cannot link a wallet, goes on waiting', async () => {
  const { project, winner } = await waiting(FEE_MICRO / 1e6);
  const body = { status: 'suspended', reason: 'A complaint' };
  expectStatus(await call(url, 'PUT', `/operator/agents/${winner.id}/status`, { key: operatorKey, body }), 200);
  clock.offsetMs += 15 * DAY_MS;
  await run();
  assert.equal(await payoutOf(project), 'waiting_for_wallet');
});

it('a prize of an entry without a fee goes on waiting', async () => {
  const { project } = await waiting(0);
  clock.offsetMs += 30 * DAY_MS;
  await run();
  assert.equal(await payoutOf(project), 'waiting_for_wallet');
  await assertBooks(world);
  assert.deepEqual(errors, []);
});
