import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { call } from '../clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO } from '../clients/contestants.ts';
import { expectStatus, openProject, type OpenProject, ownProject } from '../clients/journey.ts';
import type { CrashPoint } from '../processes/crash-points.ts';
import type { CrashWorld } from '../processes/crash-world.ts';
import { until } from '../processes/processes.ts';
import { killTogether, type TogetherCase } from './crashed-payments.ts';

// Payouts of a service that a test kills meanwhile.

const PRIZE_MICRO = 1_000_000;
const RECEIVES_MICRO = 950_000;
const FEE_MICRO = 250_000;

type Judged = { project: OpenProject; entries: [Contestant, ...Contestant[]] };

/** A project with a prize in escrow and paid entries, which waits for its decision. */
async function judgedProject({ market }: CrashWorld, count = 1): Promise<Judged> {
  const project = await openProject(market, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6 });
  const entries: Judged['entries'] = [await enter(market, project)];
  for (let seed = 2; seed <= count; seed += 1) entries.push(await enter(market, project, { seed }));
  expectStatus(await close(market, project), 200);
  return { project, entries };
}

/** Records the newest ledger check. Payouts wait while it found a mismatch. */
async function stopPayouts({ db }: CrashWorld, stop: boolean): Promise<void> {
  await db`
    insert into ledger_checks (id, checked_at, balanced, chain_matches, problems, block)
    select ${randomUUIDv7()}, greatest(now(), max(checked_at) + interval '1 ms'), true, ${!stop},
      ${stop ? ['a test stops payouts'] : []}, 1 from ledger_checks`;
}

async function cancelAsOperator({ url, operatorKey: key }: CrashWorld, { id }: OpenProject): Promise<void> {
  const body = { reason: 'A test' };
  expectStatus(await call(url, 'POST', `/operator/projects/${id}/cancel`, { key, body }), 200);
}

/** The operator cancels one project, and the poster of the other chooses a winner. All payouts are due at once then. */
async function decide(
  world: CrashWorld,
  canceled: Judged,
  { project, entries: [winner] }: Judged,
  arm?: () => Promise<void>,
): Promise<void> {
  await stopPayouts(world, true);
  await cancelAsOperator(world, canceled.project);
  expectStatus(await choose(world.market, project, winner), 200);
  await arm?.();
  await stopPayouts(world, false);
}

async function statesOf({ db }: CrashWorld, projects: Judged[]): Promise<string[]> {
  const rows = await db<{ state: string }[]>`
    select state from payouts where project_id = any(${projects.map(({ project }) => project.id)})`;
  return rows.map(({ state }) => state);
}

/** Asks the database, because the service needs several seconds after a crash, and its answers cost more. */
async function untilSettled(world: CrashWorld, projects: Judged[]): Promise<void> {
  await until('all payouts', async () => (await statesOf(world, projects)).every((state) => state === 'settled'));
}

/** Waits until both projects have ended, and asserts what each wallet has then. */
async function assertPaidOnce(world: CrashWorld, canceled: Judged, won: Judged): Promise<void> {
  await untilSettled(world, [canceled, won]);
  for (const [{ project }, status] of [
    [canceled, 'cancelled'],
    [won, 'completed'],
  ] as const)
    await until(status, async () => (await ownProject(world, project))['status'] === status);
  const [winner] = won.entries;
  for (const [{ address }, micro] of [
    [canceled.project.funder, PRIZE_MICRO],
    ...canceled.entries.map(({ payer }) => [payer, FUNDS_MICRO] as const),
    [won.project.funder, 0],
    [winner.payer, FUNDS_MICRO - FEE_MICRO + RECEIVES_MICRO],
  ] as const)
    assert.equal(await world.chain.balanceMicro(address), micro, address);
}

/** A prize and refunds share a transaction, and the process dies. After a restart, each is paid once. */
export async function assertPaidTogether(world: CrashWorld, fate: TogetherCase): Promise<void> {
  const fees = 2;
  const [canceled, won] = [await judgedProject(world, fees), await judgedProject(world)];
  const all = [canceled, won];
  // The fees of the canceled project, its prize, and the prize of the other.
  const count = fees + 2;
  await killTogether(world, fate, {
    async claim() {
      await decide(world, canceled, won);
      await until('the claims', async () => (await statesOf(world, all)).every((state) => state === 'sending'));
    },
    bookingWrite: "update payouts set state = 'settled'",
    async booked() {
      const states = await statesOf(world, all);
      assert.equal(states.length, count);
      return states.filter((state) => state === 'settled').length;
    },
    count,
  });
  await assertPaidOnce(world, canceled, won);
}

/** The process dies while it sends a prize and refunds. After a restart, each is paid once. `sent`: one was being sent. */
export async function assertPaidAfter(world: CrashWorld, point: CrashPoint, sent: boolean): Promise<void> {
  const [canceled, won] = [await judgedProject(world), await judgedProject(world)];
  await decide(world, canceled, won, () => world.crashAt(point));
  await world.killed();
  const states = await statesOf(world, [canceled, won]);
  assert.equal(states.length, 3);
  assert.ok(states.includes(sent ? 'sending' : 'ready'), states.join());
  assert.ok(
    states.some((state) => state !== 'settled'),
    'nothing is booked of what it died of',
  );
  await world.restart();
  await assertPaidOnce(world, canceled, won);
}
