import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { notSeen } from '../support/clients/check-answer.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { choose, type Contestant, enter, FUNDS_MICRO, review } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject, type OpenProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

// Results that no person chose wait 24 hours. Entrants object, and the operator holds, releases, and disqualifies.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FEE_MICRO = 100_000;
const world = await startWorld({
  env: {
    AUTO_PAYOUT_HOLD_HOURS: '24',
    OBJECTION_DAYS: '7',
    ...Object.fromEntries(
      ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_AGENT_ACCOUNT_PER_MINUTE'].map((name) => [
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

/** A project that its poster left to silence, with its result on hold. */
async function silenced(count = 2, scoredByAi: number[] = []): Promise<Held> {
  const deadline = new Date(clock.now().getTime() + HOUR_MS);
  const options = { prizeUsdc: 4, entryFeeUsdc: FEE_MICRO / 1e6, deadline, fields: { judging_hours: 1 } };
  const project = await openProject(world, options);
  const entries: Contestant[] = [];
  for (let index = 0; index < count; index += 1)
    entries.push(await enter(world, project, { picture: await drawing((seed += 1)) }));
  clock.offsetMs += HOUR_MS;
  await until('judging', async () => (await ownProject(world, project))['status'] === 'judging');
  // Stands for the scores of a model, which test/journeys/ai-judge.test.ts asks.
  for (const [index, score] of scoredByAi.entries())
    await db`
      update submissions set score = ${score}, score_source = 'ai', scored_at = ${clock.now()}
      where id = ${entries[index]!.submissionId}`;
  clock.offsetMs += HOUR_MS;
  await until('a result on hold', async () => (await ownProject(world, project))['result_on_hold'] !== null);
  return { project, entries };
}

const freeProject = () =>
  openProject(world, { entryFeeUsdc: 0, deadline: new Date(clock.now().getTime() + 10 * DAY_MS) });
const object = (
  { key, submissionId }: Contestant,
  reason = 'The result is wrong',
  headers: Record<string, string> = {},
) => call(url, 'POST', `/agents/me/submissions/${submissionId}/objection`, { key, headers, body: { reason } });
const asOperator = (path: string, body: object): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key: operatorKey, body });
const onProject = ({ project }: Held, path: string, body: object = { reason: 'A complaint' }) =>
  asOperator(`projects/${project.id}/${path}`, body);
const decideObjection = (id: string, decision: string, reason = 'Looked at') =>
  asOperator(`objections/${id}/decision`, { decision, reason });
const shown = ({ project }: Held) => ownProject(world, project);
type OnHold = { selection: string; winner_submission_id: string | null; decided_at: string; payout_held_until: string };
const heldOf = async (held: Held) => (await shown(held))['result_on_hold'] as OnHold;
const endOf = async (held: Held) => Date.parse((await heldOf(held)).payout_held_until);
const balances = ({ entries }: Held) => Promise.all(entries.map(({ payer }) => chain.balanceMicro(payer.address)));

async function ended(held: Held, status: string): Promise<Record<string, unknown>> {
  return await until(status, async () => {
    const own = await shown(held);
    return own['status'] === status && own['payout_status'] === 'settled' && own;
  });
}

describe('a result on hold', () => {
  it('is shown to everybody and is not an award; fees are back at once, shares after 24 hours', async () => {
    const held = await silenced();
    const own = await shown(held);
    assert.deepEqual([own['status'], own['selection'], own['winner_submission_id']], ['judging', null, null]);
    const { selection, winner_submission_id, decided_at, payout_held_until } = await heldOf(held);
    assert.deepEqual([selection, winner_submission_id], ['silence', null]);
    assert.equal(Date.parse(payout_held_until) - Date.parse(decided_at), DAY_MS);
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
    clock.offsetMs += DAY_MS - HOUR_MS;
    assert.equal((await shown(held))['status'], 'judging');
    assert.deepEqual(await balances(held), [FUNDS_MICRO, FUNDS_MICRO]);
    clock.offsetMs += HOUR_MS;
    assert.equal((await ended(held, 'completed'))['selection'], 'silence');
    assert.deepEqual(await balances(held), [FUNDS_MICRO + 1_000_000, FUNDS_MICRO + 1_000_000]);
    assert.equal(await chain.balanceMicro(project.funder.address), 1_800_000);
    await assertBooks(world);
  });

  it('of a project that its poster scores does not exist: a person decided', async () => {
    const project = await openProject(world, {
      deadline: new Date(clock.now().getTime() + HOUR_MS),
      fields: { judging_hours: 0 },
    });
    const entry = await enter(world, project);
    expectStatus(await review(world, project, entry, 3), 200);
    clock.offsetMs += HOUR_MS;
    const own = await ended({ project, entries: [] }, 'completed');
    assert.deepEqual([own['selection'], own['result_on_hold']], ['scores', null]);
  });

  it('is decided again when the operator disqualifies its winner, with a new hold', async () => {
    const held = await silenced(3, [3, 5, 4]);
    const [, best, second] = held.entries;
    assert.equal((await heldOf(held)).winner_submission_id, best!.submissionId);
    clock.offsetMs += 10 * HOUR_MS;
    expectStatus(await onProject(held, `submissions/${best!.submissionId}/disqualify`), 200);
    const again = await heldOf(held);
    assert.equal(again.winner_submission_id, second!.submissionId);
    assert.equal(Date.parse(again.payout_held_until) - Date.parse(again.decided_at), DAY_MS);
    clock.offsetMs += DAY_MS;
    const own = await ended(held, 'completed');
    assert.deepEqual([own['selection'], own['winner_submission_id']], ['ai', second!.submissionId]);
    await assertBooks(world);
  });

  it('becomes silence when every scored entry is disqualified', async () => {
    const held = await silenced(2, [4]);
    expectStatus(await onProject(held, `submissions/${held.entries[0]!.submissionId}/disqualify`), 200);
    assert.equal((await heldOf(held)).selection, 'silence');
    clock.offsetMs += DAY_MS;
    await ended(held, 'completed');
    assert.deepEqual(await balances(held), [FUNDS_MICRO, FUNDS_MICRO + 1_000_000]);
    await assertBooks(world);
  });
});

describe('an objection', () => {
  it('extends the hold until it is decided; dismissed, the hold ends as planned', async () => {
    const held = await silenced();
    const [first, second] = held.entries;
    const planned = await endOf(held);
    const reason = 'My picture was the only one on topic';
    const idempotencyKey = { 'idempotency-key': randomUUID() };
    const { objection } = expectStatus(await object(first!, reason, idempotencyKey), 201).body.data;
    const repeated = expectStatus(await object(first!, reason, idempotencyKey), 201).body.data;
    assert.equal(repeated.objection.id, objection.id, 'the same request with its key is answered again');
    const about = { project_id: held.project.id, submission_id: first!.submissionId };
    assert.deepEqual(await toldEvents(db, 'OBJECTION.RAISED', about), [
      { stream: `poster:${held.project.poster.id}`, data: { ...about, objection_id: objection.id, reason } },
    ]);
    assert.equal((await toldEvents(db, 'ALERT.OBJECTION', { subject: `objection:${objection.id}` })).length, 1);
    assert.equal(await endOf(held), planned + 7 * DAY_MS);
    assert.equal((await object(first!)).body.error.details[0].message, first!.submissionId);
    expectStatus(await object(second!), 201);
    assert.equal(await endOf(held), planned + 7 * DAY_MS, 'a second objection extends no further');
    const row = expectStatus(await call(url, 'GET', '/agents/me/history', { key: first!.key }), 200).body.data;
    assert.deepEqual([row.submissions[0].objection.id, row.submissions[0].objection.decision], [objection.id, null]);
    clock.offsetMs += DAY_MS;
    assert.notEqual(await heldOf(held), null);

    const { objections } = expectStatus(
      await call(url, 'GET', `/operator/objections?decision=open&project_id=${held.project.id}`, { key: operatorKey }),
      200,
    ).body.data;
    assert.equal(objections.length, 2);
    for (const { agent_id: agentId, parties } of objections) {
      assert.deepEqual([parties.project.id, parties.agent.id], [held.project.id, agentId]);
      assert.ok(parties.project.name && parties.agent.name && parties.poster.name);
    }
    const seen = expectStatus(await call(url, 'GET', '/operator/overview', { key: operatorKey }), 200).body.data;
    assert.ok(seen.open_objections >= 2);
    for (const each of objections) {
      expectStatus(await decideObjection(each.id, 'dismissed'), 200);
      expectStatus(await decideObjection(each.id, 'dismissed'), 200);
      codeIs(await decideObjection(each.id, 'upheld'), 409, 'PROJECT_STATE_CONFLICT', /dismissed/);
    }
    await ended(held, 'completed');
    codeIs(await object(first!), 409, 'ALREADY_OBJECTED');
  });

  it('that nobody decides lapses after seven days', async () => {
    const held = await silenced();
    const { objection } = expectStatus(await object(held.entries[0]!), 201).body.data;
    clock.offsetMs += 8 * DAY_MS - HOUR_MS;
    assert.notEqual(await heldOf(held), null);
    clock.offsetMs += HOUR_MS;
    await ended(held, 'completed');
    codeIs(await decideObjection(objection.id, 'upheld'), 409, 'PROJECT_STATE_CONFLICT', /lapsed/);
  });

  it('upheld, holds the payout until the operator acts', async () => {
    const held = await silenced();
    const { objection } = expectStatus(await object(held.entries[1]!), 201).body.data;
    expectStatus(await decideObjection(objection.id, 'upheld', 'It is right'), 200);
    clock.offsetMs += 30 * DAY_MS;
    const own = await shown(held);
    assert.deepEqual([own['status'], (await heldOf(held)).payout_held_until], ['judging', null]);
    assert.match(String(own['hold_reason']), /It is right/);
    const body = { submission_id: held.entries[1]!.submissionId, reason: 'It is the best' };
    expectStatus(await onProject(held, 'award', body), 200);
    await ended(held, 'completed');
    assert.deepEqual(await balances(held), [FUNDS_MICRO, FUNDS_MICRO + 3_800_000]);
    await assertBooks(world);
  });

  it('is for entrants of a project with a result on hold', async () => {
    const held = await silenced();
    const stranger = await registerAgent(url);
    codeIs(await object({ ...held.entries[0]!, key: stranger.key }), 404, 'SUBMISSION_NOT_FOUND');
    const open = await freeProject();
    codeIs(await object(await enter(world, open)), 409, 'PROJECT_STATE_CONFLICT', /on hold/);
    codeIs(await object(await enter(world, open, { seed: 2, until: 'paid' })), 404, 'SUBMISSION_NOT_FOUND');
    expectStatus(await onProject(held, 'release'), 200);
    codeIs(await object(held.entries[0]!), 409, 'PROJECT_STATE_CONFLICT', /on hold/);
    codeIs(await decideObjection(crypto.randomUUID(), 'upheld'), 404, 'NOT_FOUND');
    const wrong = await call(url, 'GET', '/operator/objections?cursor=x', { key: operatorKey });
    codeIs(wrong, 400, 'INVALID_PARAMETER', /cursor/);
  });
});

describe('the operator', () => {
  it('holds a payout as long as it takes, and releases it', async () => {
    const held = await silenced();
    expectStatus(await onProject(held, 'hold', { reason: 'Police' }), 200);
    clock.offsetMs += 90 * DAY_MS;
    assert.equal((await heldOf(held)).payout_held_until, null);
    // An objection does not end the operator's hold, and its dismissal does not either.
    const { objection } = expectStatus(await object(held.entries[0]!), 201).body.data;
    expectStatus(await decideObjection(objection.id, 'dismissed'), 200);
    assert.equal((await heldOf(held)).payout_held_until, null);
    expectStatus(await onProject(held, 'release', { reason: 'Cleared' }), 200);
    await ended(held, 'completed');
    await assertBooks(world);
  });

  it('shares or cancels a project while its result is on hold; a refunded fee is not refunded again', async () => {
    const [shared, cancelled] = [await silenced(), await silenced()];
    expectStatus(await onProject(shared, 'share'), 200);
    assert.equal((await ended(shared, 'completed'))['selection'], 'shared');
    assert.deepEqual(await balances(shared), [FUNDS_MICRO + 1_900_000, FUNDS_MICRO + 1_900_000]);
    expectStatus(await onProject(cancelled, 'cancel'), 200);
    await ended(cancelled, 'cancelled');
    assert.deepEqual(await balances(cancelled), [FUNDS_MICRO, FUNDS_MICRO]);
    assert.equal(await chain.balanceMicro(cancelled.project.funder.address), 4_000_000);
    await assertBooks(world);
  });

  it('can hold and release only a result on hold', async () => {
    const project = await freeProject();
    await enter(world, project);
    const held = { project, entries: [] };
    for (const path of ['hold', 'release'])
      codeIs(await onProject(held, path), 409, 'PROJECT_STATE_CONFLICT', /no result on hold/);
    for (const path of ['hold', 'release', 'share'])
      codeIs(await asOperator(`projects/${crypto.randomUUID()}/${path}`, { reason: 'x' }), 404, 'PROJECT_NOT_FOUND');
  });

  it('awards only to an entry of the project that is not disqualified, and shares only among such entries', async () => {
    const [held, other] = [await silenced(), await freeProject()];
    const [first, second] = held.entries;
    const foreign = await enter(world, other);
    const award = (submission_id: string) => onProject(held, 'award', { submission_id, reason: 'The best' });
    codeIs(await award(foreign.submissionId), 404, 'SUBMISSION_NOT_FOUND');
    expectStatus(await onProject(held, `submissions/${first!.submissionId}/disqualify`), 200);
    codeIs(await award(first!.submissionId), 409, 'PROJECT_STATE_CONFLICT', /disqualified/);
    expectStatus(await award(second!.submissionId), 200);
    codeIs(await onProject(held, 'share'), 409, 'PROJECT_STATE_CONFLICT', /awarded/);
    const missing = { submission_id: second!.submissionId, reason: 'x' };
    codeIs(await asOperator(`projects/${crypto.randomUUID()}/award`, missing), 404, 'PROJECT_NOT_FOUND');
    const project = await freeProject();
    codeIs(await onProject({ project, entries: [] }, 'share'), 409, 'PROJECT_STATE_CONFLICT', /no eligible entry/);
    await ended(held, 'completed');
  });

  it('the tests received every answer that these operations can give', () => {
    assert.deepEqual(notSeen('createObjection', 'listObjections', 'decideObjection'), []);
    assert.deepEqual(notSeen('holdPayout', 'releasePayout', 'awardProject', 'shareProject'), []);
    assert.deepEqual(errors, []);
  });
});
