import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call } from '../support/clients/client.ts';
import { close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes and their timers act on the same results on hold at about the same moment: entrants object, the operator
// disqualifies, holds, releases, awards, shares, and cancels, and the hold ends. Each project has one outcome, which is
// paid once.

const ROUNDS = 12;
const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;
const FEE_MICRO = 100_000;
// The timers run once a second, so the end of a hold falls into the race.
const HOLD_MS = 6_000;

const ground = await prepareWorld({
  env: {
    AUTO_PAYOUT_HOLD_HOURS: String(HOLD_MS / 3_600_000),
    // An open objection extends the hold by a moment.
    OBJECTION_DAYS: String(1_500 / 86_400_000),
    ...Object.fromEntries(['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE'].map((name) => [name, '100000'])),
  },
});
const services = [await ground.start(), await ground.start()] as const;
type Market = { url: string; mintUsdc: typeof ground.mintUsdc };
const [one, other] = services.map(({ url }) => ({ url, mintUsdc: ground.mintUsdc })) as [Market, Market];

type Round = { project: OpenProject; first: Contestant; second: Contestant };

async function prepare(index: number): Promise<Round> {
  const options = { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6, fields: { judging_hours: 0 } };
  const project = await openProject(one, options);
  const first = await enter(one, project, { picture: await drawing(1000 + 2 * index) });
  return { project, first, second: await enter(one, project, { picture: await drawing(1001 + 2 * index) }) };
}

const asOperator = ({ url }: Market, path: string, body: object = { reason: 'A race' }): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key: ground.operatorKey, body });

async function race({ project, first, second }: Round, index: number): Promise<string[]> {
  expectStatus(await close(index % 2 === 0 ? one : other, project), 200);
  await until('a result on hold', async () => (await ownProject(one, project))['result_on_hold'] !== null);
  const heldAt = performance.now();
  const at = (path: string) => `projects/${project.id}/${path}`;
  const object = ({ url }: Market, who: Contestant) =>
    call(url, 'POST', `/agents/me/submissions/${who.submissionId}/objection`, { key: who.key, body: { reason: 'No' } });
  const works: { by: string; send: () => Promise<Answer> }[] = [
    { by: 'objection', send: () => object(one, first) },
    { by: 'objection', send: () => object(other, first) },
    { by: 'objection', send: () => object(other, second) },
    { by: 'disqualify', send: () => asOperator(one, at(`submissions/${first.submissionId}/disqualify`)) },
    { by: 'hold', send: () => asOperator(other, at('hold')) },
    { by: 'release', send: () => asOperator(one, at('release')) },
    { by: 'release', send: () => asOperator(other, at('release')) },
  ];
  const decisions: typeof works = [
    { by: 'award', send: () => asOperator(other, at('award'), { submission_id: second.submissionId, reason: 'Best' }) },
    { by: 'share', send: () => asOperator(one, at('share')) },
    { by: 'cancel', send: () => asOperator(other, at('cancel'), { reason: 'A race', keep_fee: true }) },
  ];
  works.push(...decisions.filter((_, place) => (index + place) % 3 !== 0));
  // A third of the races happen at once, the others around the end of the hold.
  const startMs = index % 3 === 0 ? 0 : HOLD_MS - 500 + 250 * (index % 5);
  await sleep(Math.max(0, startMs - (performance.now() - heldAt)));
  // In those at once, the decisions are sent first: a release that is served before them leaves nothing to decide.
  const turn = index % 3 === 0 ? works.length - 2 : index % works.length;
  const answers = await Promise.all(
    [...works.slice(turn), ...works.slice(0, turn)].map(async ({ by, send }) => ({ by, answer: await send() })),
  );
  for (const { by, answer } of answers)
    assert.ok([200, 201, 409].includes(answer.status), `${by}: ${answer.status} ${JSON.stringify(answer.body)}`);
  const objections = answers.filter(({ by, answer }) => by === 'objection' && answer.status === 201);
  assert.ok(objections.length <= 2, 'one objection for each entry');
  return answers.filter(({ answer }) => answer.status === 200).map(({ by }) => by);
}

/** Asserts that a granted decision stands, and that the money went out once. */
async function assertOneOutcome({ project, first, second }: Round, granted: string[]): Promise<string> {
  const ended = async () => {
    // An unreleased hold of the operator would last for ever.
    await asOperator(one, `projects/${project.id}/release`);
    const shown = await ownProject(one, project);
    const over = shown['status'] === 'completed' || shown['status'] === 'cancelled';
    return over && shown['payout_status'] === 'settled' ? shown : null;
  };
  const own = await until('an outcome', ended);
  const outcome = own['status'] === 'cancelled' ? 'cancel' : String(own['selection']);
  const finals = granted.filter((by) => ['award', 'share', 'cancel'].includes(by));
  assert.ok(finals.length <= 1, `${finals.join()} were all granted`);
  const expected = { award: 'operator', share: 'shared', cancel: 'cancel' }[finals[0] ?? ''] ?? 'silence';
  assert.equal(outcome, expected, `${granted.join()} granted`);
  const moves = await ground.db`select 1 from project_transitions where project_id = ${project.id}`;
  assert.equal(moves.length, 3, 'published, closed, ended');
  const open = await ground.db`select 1 from objections where project_id = ${project.id} and decision is null`;
  assert.equal(open.length, 0, 'no objection is open after the end');
  const balance = (address: string) => ground.chain.balanceMicro(address);
  const [poster, one1, two] = [
    await balance(project.funder.address),
    await balance(first.payer.address),
    await balance(second.payer.address),
  ];
  // Every fee is back since the silence. The prize less the platform fee went out once, whoever got it.
  assert.equal(poster + one1 + two, RECEIVES_MICRO + 2 * FUNDS_MICRO, outcome);
  if (granted.includes('disqualify')) assert.equal(one1, FUNDS_MICRO, 'a disqualified entry gets nothing');
  return outcome;
}

it(`${ROUNDS} results on hold have one outcome each, paid once, when everybody acts at once`, async () => {
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS)
    rounds.push(...(await Promise.all([0, 1, 2].map((index) => prepare(rounds.length + index)))));
  const granted = await Promise.all(rounds.map(race));
  const outcomes = await Promise.all(rounds.map((round, index) => assertOneOutcome(round, granted[index]!)));
  assert.ok(new Set(outcomes).size > 1, outcomes.join());
  await assertBooks({ url: other.url, operatorKey: ground.operatorKey });
});
