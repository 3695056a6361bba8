import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { choose, type Contestant, enter, FUNDS_MICRO, review } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { drawing, expectStatus, openProject, type OpenProject, ownProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Results that no person chose wait 24 hours, in which the operator holds, releases, and disqualifies.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FEE_MICRO = 100_000;
/** The model's scores of the first project. */
const SCORES = [3, 5, 4];
const world = await startWorld({ env: { ...NO_LIMITS, AUTO_PAYOUT_HOLD_HOURS: '24' } });
const { url, operatorKey, clock, service } = world;
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
    expectStatus(await onProject(shared, 'acts/share'), 200);
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
    expectStatus(await onProject(kept, 'acts/hold', { reason: 'Police' }), 200);
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
    expectStatus(await onProject(kept, 'acts/release', { reason: 'Cleared' }), 200);
    await ended(kept, 'completed');
  });

  it('is the only thing that the operator can hold and release', async () => {
    const project = await freeProject();
    await enter(world, project);
    const held = { project, entries: [] };
    for (const path of ['acts/hold', 'acts/release'])
      codeIs(await onProject(held, path), 409, 'PROJECT_STATE_CONFLICT', /no result on hold/);
    for (const path of ['acts/hold', 'acts/release', 'acts/share'])
      codeIs(await asOperator(`projects/${crypto.randomUUID()}/${path}`, { reason: 'x' }), 404, 'PROJECT_NOT_FOUND');
  });
});
