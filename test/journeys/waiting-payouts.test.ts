import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lapseAward } from '../../server/judging/public.ts';
import { payUnclaimed } from '../../server/payouts/unclaimed/pay-unclaimed.ts';
import { type Answer, call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, enter, FUNDS_MICRO, review } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { ownProject } from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Payouts that wait: results that no person chose wait 24 hours, in which the operator holds, releases, and disqualifies.
// Prizes of agents without a wallet wait for a wallet.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FEE_MICRO = 100_000;
/** The model's scores of the first project. */
const SCORES = [3, 5, 4];
const world = await startWorld({
  env: {
    AUTO_PAYOUT_HOLD_HOURS: '24',
    ...Object.fromEntries(
      ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_AGENT_PER_MINUTE'].map((name) => [
        name,
        '100000',
      ]),
    ),
  },
});
const { url, operatorKey, clock, service, errors } = world;
const { db, chain } = service.deps;

type Held = { project: OpenProject; entries: Contestant[] };

let seed = 100;

/** Opens projects whose posters leave them to silence, and waits until all have a result on hold. */
async function silenced(counts: number[]): Promise<Held[]> {
  const deadline = new Date(clock.now().getTime() + HOUR_MS);
  const options = { prizeUsdc: 4, entryFeeUsdc: FEE_MICRO / 1e6, deadline, fields: { judging_hours: 1 } };
  const all = await Promise.all(
    counts.map(async (count): Promise<Held> => {
      const project = await openProject(world, options);
      const entries: Contestant[] = [];
      for (let index = 0; index < count; index += 1)
        entries.push(await enter(world, project, { picture: await drawing((seed += 1)) }));
      return { project, entries };
    }),
  );
  clock.offsetMs += HOUR_MS;
  for (const held of all) await until('judging', async () => (await shown(held))['status'] === 'judging');
  // Stands for the scores of a model, which tests of the domain ask.
  for (const [index, { submissionId }] of all[0]!.entries.entries())
    await db`
      update submissions set score = ${SCORES[index]!}, score_source = 'ai', scored_at = ${clock.now()}
      where id = ${submissionId}`;
  clock.offsetMs += HOUR_MS;
  for (const held of all) await until('a result on hold', async () => (await heldOf(held)) !== null);
  return all;
}

const freeProject = () =>
  openProject(world, { entryFeeUsdc: 0, deadline: new Date(clock.now().getTime() + 10 * DAY_MS) });
const asOperator = (path: string, body: object): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key: operatorKey, body });
const onProject = ({ project }: Held, path: string, body: object = { reason: 'A complaint' }) =>
  asOperator(`projects/${project.id}/${path}`, body);
const shown = ({ project }: Held) => ownProject(world, project);
type OnHold = { selection: string; winner_submission_id: string | null; decided_at: string; pay_after: string };
const heldOf = async (held: Held) => (await shown(held))['result_on_hold'] as OnHold;
const balances = ({ entries }: Held) => Promise.all(entries.map(({ payer }) => chain.balanceMicro(payer.address)));

async function ended(held: Held, status: string): Promise<Record<string, unknown>> {
  return await until(status, async () => {
    const own = await shown(held);
    return own['status'] === status && own['payout_status'] === 'settled' && own;
  });
}

// The tests share the moments of one clock: all results are on hold from the start on.
describe('a result on hold', async () => {
  const [scored, silent, kept, shared, cancelled] = (await silenced([SCORES.length, 2, 1, 2, 1])) as [
    Held,
    Held,
    Held,
    Held,
    Held,
  ];

  it('is shown to everybody and is not an award; fees are back at once', async () => {
    const held = silent;
    const own = await shown(held);
    assert.deepEqual([own['status'], own['selection'], own['winner_submission_id']], ['judging', null, null]);
    const { selection, winner_submission_id, decided_at, pay_after } = await heldOf(held);
    assert.deepEqual([selection, winner_submission_id], ['silence', null]);
    assert.equal(Date.parse(pay_after) - Date.parse(decided_at), DAY_MS);
    const { project, entries } = held;
    const [first] = entries;
    const agents = expectStatus(await call(url, 'GET', `/agents/projects/${project.id}`, { key: first!.key }), 200);
    const open = expectStatus(await call(url, 'GET', `/projects/${project.id}`), 200);
    const operator = expectStatus(
      await call(url, 'GET', `/operator/projects/${project.id}`, { key: operatorKey }),
      200,
    );
    for (const { body } of [agents, open, operator])
      assert.deepEqual(body.data.project.result_on_hold, own['result_on_hold']);
    const history = expectStatus(await call(url, 'GET', '/agents/me/history', { key: first!.key }), 200).body.data;
    assert.equal(history.submissions[0].status, 'pending');
    await until('the fees are back', async () => (await balances(held)).every((micro) => micro === FUNDS_MICRO));

    // The poster had its time.
    codeIs(await choose(world, project, first!), 409, 'PROJECT_STATE_CONFLICT', /automatic result/);
    codeIs(await review(world, project, first!, 5), 409, 'PROJECT_STATE_CONFLICT', /automatic result/);
  });

  it('can be shared or canceled by the operator; a refunded fee is not refunded again', async () => {
    expectStatus(await onProject(shared, 'share'), 200);
    assert.equal((await ended(shared, 'completed'))['selection'], 'shared');
    assert.deepEqual(await balances(shared), [FUNDS_MICRO + 1_900_000, FUNDS_MICRO + 1_900_000]);
    expectStatus(await onProject(cancelled, 'cancel'), 200);
    await ended(cancelled, 'cancelled');
    assert.deepEqual(await balances(cancelled), [FUNDS_MICRO]);
    assert.equal(await chain.balanceMicro(cancelled.project.funder.address), 4_000_000);
  });

  it('is decided again when the operator disqualifies its winner; each is paid after its 24 hours', async () => {
    const [, best, second] = scored.entries;
    assert.equal((await heldOf(scored)).winner_submission_id, best!.submissionId);
    expectStatus(await onProject(kept, 'hold', { reason: 'Police' }), 200);
    clock.offsetMs += 10 * HOUR_MS;
    expectStatus(await onProject(scored, `submissions/${best!.submissionId}/disqualify`), 200);
    const again = await heldOf(scored);
    assert.equal(again.winner_submission_id, second!.submissionId);
    assert.equal(Date.parse(again.pay_after) - Date.parse(again.decided_at), DAY_MS);

    clock.offsetMs += 13 * HOUR_MS;
    assert.equal((await shown(silent))['status'], 'judging');
    assert.deepEqual(await balances(silent), [FUNDS_MICRO, FUNDS_MICRO]);
    clock.offsetMs += HOUR_MS;
    assert.equal((await ended(silent, 'completed'))['selection'], 'silence');
    assert.deepEqual(await balances(silent), [FUNDS_MICRO + 300_000, FUNDS_MICRO + 300_000]);
    assert.equal(await chain.balanceMicro(silent.project.funder.address), 3_200_000);

    assert.equal((await shown(scored))['status'], 'judging');
    clock.offsetMs += 10 * HOUR_MS;
    const own = await ended(scored, 'completed');
    assert.deepEqual([own['selection'], own['winner_submission_id']], ['ai', second!.submissionId]);
  });

  it('is held by the operator as long as it takes, and released', async () => {
    clock.offsetMs += 90 * DAY_MS;
    assert.equal((await heldOf(kept)).pay_after, null);
    expectStatus(await onProject(kept, 'release', { reason: 'Cleared' }), 200);
    await ended(kept, 'completed');
  });

  it('is the only thing that the operator can hold and release', async () => {
    const project = await freeProject();
    await enter(world, project);
    const held = { project, entries: [] };
    for (const path of ['hold', 'release'])
      codeIs(await onProject(held, path), 409, 'PROJECT_STATE_CONFLICT', /no result on hold/);
    for (const path of ['hold', 'release', 'share'])
      codeIs(await asOperator(`projects/${crypto.randomUUID()}/${path}`, { reason: 'x' }), 404, 'PROJECT_NOT_FOUND');
  });
});

const run = () => payUnclaimed(service.deps, new AbortController().signal, (id) => lapseAward(service.deps, id));
const hasWallet = async ({ id, poster }: OpenProject) => {
  const path = `/posters/me/projects/${id}/submissions`;
  const [entry] = expectStatus(await call(url, 'GET', path, { key: poster.key }), 200).body.data.submissions;
  return entry.agent_has_wallet as boolean;
};
const keptOf = async ({ id }: OpenProject) => {
  const { data: money } = expectStatus(await call(url, 'GET', `/projects/${id}/money`), 200).body;
  const { platform_fee_micro: platform, entry_fees_kept_micro: fees, held_micro: held, balanced } = money;
  return { platform, fees, held, balanced };
};
const recorded = async (action: string) => (await db`select 1 from audit_trail where action = ${action}`).length;
const payoutOf = async (project: OpenProject) => (await ownProject(world, project))['payout_status'];

/**
 * Opens a project with an entry of an agent without a wallet: another agent has the wallet that paid for it. With `proven`,
 * it has proven that wallet.
 */
async function entered(entryFeeUsdc: number, { proven = false }) {
  const inDays = (days: number) => new Date(clock.now().getTime() + days * DAY_MS);
  // This project stays open through the test, so its fee stays paid.
  const elsewhere = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6, deadline: inDays(25) });
  const other = await enter(world, elsewhere);
  if (proven) expectStatus(await linkPayer(url, other.key, other.payer), 200);
  const options = { prizeUsdc: 2, entryFeeUsdc, deadline: inDays(1), fields: { judging_hours: 1 } };
  const project = await openProject(world, options);
  const winner = await enter(world, project, { payer: other.payer, wallet: 'none', seed: 2 });
  return { project, winner };
}

/** Returns a project of `entered` whose prize waits for a wallet. */
async function waiting(entryFeeUsdc: number, options: { proven?: boolean } = {}) {
  const { project, winner } = await entered(entryFeeUsdc, options);
  expectStatus(await close(world, project), 200);
  assert.equal(await hasWallet(project), false);
  expectStatus(await choose(world, project, winner), 200);
  await until('a payout that waits', async () => (await payoutOf(project)) === 'waiting_for_wallet');
  const path = `/agents/me/submissions/${winner.submissionId}`;
  const { next } = expectStatus(await call(url, 'GET', path, { key: winner.key }), 200).body.data.submission;
  assert.equal(next.operation_id, 'challengeWallet');
  assert.ok(Math.abs(Date.parse(next.until) - clock.now().getTime() - 14 * DAY_MS) < HOUR_MS);
  return { project, winner };
}

describe('a prize of an agent without a wallet', () => {
  it('goes after two weeks to the wallet that paid the entry fee; without such a wallet, the award lapses', async () => {
    // Another agent has proven the wallet that paid for the second, and nobody paid for the third.
    const all = await Promise.all([waiting(FEE_MICRO / 1e6), waiting(FEE_MICRO / 1e6, { proven: true }), waiting(0)]);
    const [paid, ...lapsing] = all;
    clock.offsetMs += 14 * DAY_MS - 60_000;
    await run();
    for (const { project } of all) assert.equal(await payoutOf(project), 'waiting_for_wallet');
    clock.offsetMs += 2 * 60_000;
    await Promise.all([run(), run()]);
    const { project, winner } = paid;
    await until('the end of the project', async () => (await ownProject(world, project))['status'] === 'completed');
    const micro = await chain.balanceMicro(winner.payer.address);
    assert.equal(micro, FUNDS_MICRO - 2 * FEE_MICRO + 1_900_000, 'once, and to the payer');
    const path = `/posters/me/projects/${project.id}/submissions/${winner.submissionId}/delivery`;
    expectStatus(await call(url, 'GET', path, { key: project.poster.key }), 200);
    assert.equal(await recorded('payout.pay_unclaimed'), 1);

    assert.equal(await recorded('project.reopen'), 2);
    for (const each of lapsing) {
      const own = await ownProject(world, each.project);
      assert.deepEqual([own['status'], own['winner_submission_id'], own['selection']], ['judging', null, null]);
      codeIs(await choose(world, each.project, each.winner), 409, 'PROJECT_STATE_CONFLICT');
    }
    // There is no other entry: the poster gets the whole prize back, and the payer the fee.
    clock.offsetMs += HOUR_MS;
    for (const each of lapsing) {
      await ended({ project: each.project, entries: [] }, 'cancelled');
      assert.equal(await chain.balanceMicro(each.project.funder.address), 2_000_000);
    }
    assert.equal(await chain.balanceMicro(lapsing[0].winner.payer.address), FUNDS_MICRO - FEE_MICRO);
    // The platform fee of a lapsed award is taken back.
    assert.deepEqual(await Promise.all(all.map((each) => keptOf(each.project))), [
      { platform: 100_000, fees: FEE_MICRO, held: 0, balanced: true },
      { platform: 0, fees: 0, held: 0, balanced: true },
      { platform: 0, fees: 0, held: 0, balanced: true },
    ]);
  });

  it('goes to the wallet that the agent links within the two weeks', async () => {
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
    assert.equal(await chain.balanceMicro(own.address), 1_900_000);
  });
});

it('the service logged no errors', () => assert.deepEqual(errors, []));
