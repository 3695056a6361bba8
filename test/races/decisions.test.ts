import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call } from '../support/clients/client.ts';
import {
  choose,
  close,
  closeAndChoose,
  type Contestant,
  enter,
  FUNDS_MICRO,
  review,
} from '../support/clients/contestants.ts';
import { assertEnded, ownProject } from '../support/endings/ending.ts';
import { expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes and their timers decide the same project at about the same moment. The poster chooses one entry or the
// other, the operator cancels, and the judging time ends. Each project has one outcome, which is paid once.

const ROUNDS = 24;
// The timers run once a second. Half of the projects are decided at once, the others before or after a timer.
const SPREAD_MS = 2_400;
const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;
const FEE_MICRO = 100_000;
const LEFT_MICRO = FUNDS_MICRO - FEE_MICRO;

const many = Object.fromEntries(
  ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE'].map((name) => [name, '100000']),
);
const ground = await prepareWorld({ env: many });
const services = [await ground.start(), await ground.start()] as const;
const [one, other] = services.map(({ url }) => ({ url, mintUsdc: ground.mintUsdc })) as [Market, Market];
type Market = { url: string; mintUsdc: typeof ground.mintUsdc };

type Round = { project: OpenProject; first: Contestant; second: Contestant };

/**
 * Prepares an open project with two paid entries. The second has the better score, and judging takes no time. One
 * process takes all uploads, because each process has its own disk storage.
 */
async function prepare(): Promise<Round> {
  const options = { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6, fields: { judging_hours: 0 } };
  const project = await openProject(one, options);
  const [first, second] = [await enter(one, project), await enter(one, project, { seed: 2 })];
  expectStatus(await review(other, project, first, 2), 200);
  expectStatus(await review(other, project, second, 4), 200);
  return { project, first, second };
}

const cancel = ({ url }: Market, { id }: OpenProject): Promise<Answer> =>
  call(url, 'POST', `/operator/projects/${id}/cancel`, { key: ground.operatorKey, body: { reason: 'A race' } });

/** Sends all requests at once while the timers run. Each request is the first in some rounds. */
async function race({ project, first, second }: Round, index: number) {
  // Every fourth project is still open, and the poster closes it and chooses in one step.
  const isOpen = index % 4 === 3;
  const decide = isOpen ? closeAndChoose : choose;
  const requests = [
    { by: 'first', send: () => decide(one, project, first) },
    { by: 'second', send: () => decide(other, project, second) },
    { by: 'operator', send: () => cancel(index % 2 === 0 ? other : one, project) },
  ];
  const turn = index % requests.length;
  const ordered = [...requests.slice(turn), ...requests.slice(0, turn)];
  if (!isOpen) expectStatus(await close(index % 2 === 0 ? one : other, project), 200);
  await sleep(Math.max(0, SPREAD_MS * (index / ROUNDS - 0.5)));
  // Send the requests in the same moment, or each a little after the other.
  const stepMs = 30 * (Math.trunc(index / requests.length) % 2);
  const answers = await Promise.all(
    ordered.map(async ({ by, send }, place) => {
      await sleep(place * stepMs);
      return { by, answer: await send() };
    }),
  );
  for (const { answer } of answers)
    assert.ok([200, 409].includes(answer.status), `${answer.status} ${JSON.stringify(answer.body)}`);
  return answers.filter(({ answer }) => answer.status === 200).map(({ by }) => by);
}

/** Asserts that the granted request decided the outcome. If none was granted, the timer did. */
async function assertOneOutcome({ project, first, second }: Round, granted: string[]): Promise<string> {
  const own = await until('an outcome', async () => {
    const shown = await ownProject(one, project);
    return shown['status'] === 'completed' || shown['status'] === 'cancelled' ? shown : null;
  });
  const outcome =
    own['status'] === 'cancelled'
      ? 'operator'
      : own['winner_submission_id'] === first.submissionId
        ? 'first'
        : 'second';
  const byTimer = own['selection'] === 'scores';
  if (byTimer) assert.equal(outcome, 'second', 'the better score');
  // The poster can choose the entry that the timer has already selected. That is not an error.
  assert.ok(
    granted.every((by) => by === outcome),
    `${granted.join()} granted, ${outcome} stands`,
  );
  if (!byTimer) assert.deepEqual(granted, [outcome]);
  const moved = await ground.db`select 1 from project_transitions where project_id = ${project.id}`;
  // The operator can also end a project that is open.
  assert.ok(moved.length === 3 || (outcome === 'operator' && moved.length === 2), 'published, closed, ended');

  const scene = { ...ground, url: other.url };
  const [points, better] = [
    { who: first, score: 2, feedback: 'Worth 2' },
    { who: second, score: 4, feedback: 'Worth 4' },
  ];
  const shared = { project, prizeMicro: PRIZE_MICRO, feesMicro: [FEE_MICRO, FEE_MICRO] };
  if (outcome === 'operator') {
    await assertEnded(scene, {
      ...shared,
      status: 'cancelled',
      selection: null,
      winner: null,
      cancelReason: 'A race',
      payoutsMicro: [],
      refundsMicro: [PRIZE_MICRO, FEE_MICRO, FEE_MICRO],
      platformFeeMicro: 0,
      feesKeptMicro: 0,
      fates: [points, better].map((scored) => ({ ...scored, status: 'cancelled' })),
      balances: [[project.funder.address, PRIZE_MICRO], ...[first, second].map(wallet(() => FUNDS_MICRO))],
    });
    return 'operator';
  }
  const winner = outcome === 'first' ? first : second;
  await assertEnded(scene, {
    ...shared,
    status: 'completed',
    selection: byTimer ? 'scores' : 'poster',
    winner: winner.submissionId,
    payoutsMicro: [RECEIVES_MICRO],
    refundsMicro: [],
    platformFeeMicro: PRIZE_MICRO - RECEIVES_MICRO,
    feesKeptMicro: 2 * FEE_MICRO,
    fates: [
      { ...better, ...fateOf(second === winner) },
      { ...points, ...fateOf(first === winner) },
    ],
    balances: [
      [project.funder.address, 0],
      ...[first, second].map(wallet((who) => (who === winner ? LEFT_MICRO + RECEIVES_MICRO : LEFT_MICRO))),
    ],
  });
  return byTimer ? 'timer' : 'poster';
}

const wallet =
  (microOf: (who: Contestant) => number) =>
  (who: Contestant): [string, number] => [who.payer.address, microOf(who)];

const fateOf = (won: boolean) =>
  won ? { status: 'won' as const, rank: 1, earningsMicro: RECEIVES_MICRO } : { status: 'lost' as const, rank: 2 };

it(`${ROUNDS} projects have one outcome each, paid once, when several deciders act at once`, async () => {
  const rounds = await Promise.all(Array.from({ length: ROUNDS }, () => prepare()));
  const granted = await Promise.all(rounds.map(race));
  const outcomes = await Promise.all(rounds.map((round, index) => assertOneOutcome(round, granted[index]!)));
  assert.ok(new Set(outcomes).size > 1, outcomes.join());
});
