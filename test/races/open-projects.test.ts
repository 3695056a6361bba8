import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call, newPayer, type Payer } from '../support/clients/client.ts';
import { asPoster, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import {
  confirm,
  createIntent,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes and their timers act on the same open projects in the same moment: agents pay, confirm, and object, the
// poster closes, moves the deadline, and cancels, and the operator disqualifies, holds, and cancels. Whatever happened,
// the operator's cancellation at the end gives every wallet back what it had.

const ROUNDS = 8;
const PRIZE_MICRO = 2_000_000;
const FEE_MICRO = 100_000;

const many = ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_REGISTRATIONS_PER_HOUR'];
const ground = await prepareWorld({
  env: {
    // The announced end falls into the race, or just after it.
    CLOSE_NOTICE_MINUTES: String(1_000 / 60_000),
    CONFIRM_GRACE_SECONDS: '1',
    AUTO_PAYOUT_HOLD_HOURS: '24',
    ...Object.fromEntries(many.map((name) => [name, '100000'])),
  },
});
const services = [await ground.start(), await ground.start()] as const;
type Market = { url: string; mintUsdc: typeof ground.mintUsdc };
const [one, other] = services.map(({ url }) => ({ url, mintUsdc: ground.mintUsdc })) as [Market, Market];

type Reserved = { key: string; submissionId: string; payer: Payer };
type Round = {
  project: OpenProject;
  /** Null in rounds in which nobody has paid, so that the poster may cancel. */
  confirmed: Contestant | null;
  /** Paid and uploaded. */
  uploaded: Reserved | null;
  waiting: Reserved[];
};

async function reserve(project: OpenProject): Promise<Reserved> {
  const [{ key }, payer] = [await registerAgent(one.url), newPayer()];
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const { id: submissionId } = await createIntent(one.url, key, project.id);
  return { key, submissionId, payer };
}

const pay = ({ url }: Market, project: OpenProject, { key, submissionId, payer }: Reserved, sizeBytes = 1_000) =>
  requestUpload(url, { key, projectId: project.id, submissionId, sizeBytes, fetch: payer.pay });

async function prepare(index: number): Promise<Round> {
  const project = await openProject(one, { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: FEE_MICRO / 1e6 });
  const waiting = [await reserve(project), await reserve(project)];
  if (index % 2 === 1) return { project, confirmed: null, uploaded: null, waiting };
  const confirmed = await enter(one, project, { picture: await drawing(4000 + 2 * index) });
  const [uploaded, picture] = [await reserve(project), await drawing(4001 + 2 * index)];
  const grant = expectStatus(await pay(one, project, uploaded, picture.length), 200);
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  return { project, confirmed, uploaded, waiting };
}

const asOperator = ({ url }: Market, path: string): Promise<Answer> =>
  call(url, 'POST', `/operator/projects/${path}`, { key: ground.operatorKey, body: { reason: 'A race' } });

type Work = { by: string; send: () => Promise<Answer> };

function worksOf({ project, confirmed, uploaded, waiting }: Round, index: number): Work[] {
  const extendBy = (hours: number) => ({
    auto_select_deadline: new Date(Date.now() + hours * 3_600_000).toISOString(),
  });
  const works: Work[] = [
    ...waiting.map((agent, place) => ({ by: 'pay', send: () => pay(place === 0 ? one : other, project, agent) })),
    { by: 'close', send: () => close(index % 4 < 2 ? one : other, project) },
    { by: 'cancel', send: () => asPoster(other, project, ['POST', '/cancel', {}]) },
    { by: 'extend', send: () => asPoster(one, project, ['PATCH', '', extendBy(12)]) },
    { by: 'extend', send: () => asPoster(other, project, ['PATCH', '', extendBy(13)]) },
    { by: 'hold', send: () => asOperator(one, `${project.id}/hold`) },
  ];
  if (index % 4 === 2) works.push({ by: 'operator', send: () => asOperator(one, `${project.id}/cancel`) });
  if (!confirmed || !uploaded) return works;
  const path = `/agents/me/submissions/${confirmed.submissionId}/objection`;
  const { key, submissionId } = uploaded;
  return [
    ...works,
    // The pictures lie in the folder of both processes.
    ...[one, other].map(({ url }) => ({ by: 'confirm', send: () => confirm(url, key, project.id, submissionId) })),
    {
      by: 'disqualify',
      send: () => asOperator(other, `${project.id}/submissions/${confirmed.submissionId}/disqualify`),
    },
    { by: 'object', send: () => call(other.url, 'POST', path, { key: confirmed.key, body: { reason: 'No' } }) },
  ];
}

async function race(round: Round, index: number): Promise<string[]> {
  const works = worksOf(round, index);
  const turn = index % works.length;
  const answers = await Promise.all(
    [...works.slice(turn), ...works.slice(0, turn)].map(async ({ by, send }) => ({ by, answer: await send() })),
  );
  for (const { by, answer } of answers)
    // 503: the inspection or the payment goes on, and the same request tells the result later. 400: the other extension
    // came first, and its deadline is later.
    assert.ok(
      [200, 404, 409, 503, ...(by === 'extend' ? [400] : [])].includes(answer.status),
      `${by}: ${answer.status} ${JSON.stringify(answer.body)}`,
    );
  const granted = answers.filter(({ answer }) => answer.status === 200).map(({ by }) => by);
  assert.ok(!granted.includes('object') && !granted.includes('hold'), 'no result is on hold yet');
  return granted;
}

async function assertConsistent({ project, confirmed, uploaded }: Round, all: string[]): Promise<void> {
  const granted = new Set(all);
  const [row] = await ground.db<{ taken: number; live: number; entries: number; counted: number }[]>`
    select places_taken as taken, total_submissions as entries,
      (select count(*) from submissions where project_id = p.id and status = 'submitted') as counted,
      (select count(*) from payments join submissions s on s.id = subject_id
        where s.project_id = p.id and kind = 'entry_fee' and state <> 'failed' and not late) as live
    from projects p where id = ${project.id}`;
  assert.equal(row?.taken, row?.live, 'a place for each fee');
  assert.equal(row?.entries, row?.counted, 'the count of entries');
  const { status } = await ownProject(other, project);
  if (granted.has('cancel') || granted.has('operator')) assert.equal(status, 'cancelled');
  if (granted.has('cancel')) assert.ok(!granted.has('pay'), 'a poster cannot cancel once an agent has paid');
  if (confirmed) {
    assert.ok(!granted.has('cancel'));
    assert.ok(all.filter((by) => by === 'extend').length <= 1, 'one extension after the first entry');
  }
  if (uploaded && granted.has('confirm')) {
    const [entry] =
      await ground.db`select 1 from submissions where id = ${uploaded.submissionId} and status = 'submitted'`;
    assert.ok(entry, 'the confirmation that was granted counts');
  }
}

/** Cancels the project, unless that has happened, and asserts that every wallet has what it had at first. */
async function assertAllBack({ project, confirmed, uploaded, waiting }: Round): Promise<void> {
  await until('the cancellation', async () => {
    await asOperator(one, `${project.id}/cancel`);
    return (await ownProject(one, project))['status'] === 'cancelled';
  });
  await until('all refunds', async () => {
    const open = await ground.db`
      select 1 from payouts where project_id = ${project.id} and state <> 'settled'
      union all select 1 from payments where state = 'settling' limit 1`;
    return open.length === 0;
  });
  const wallets = [confirmed, uploaded, ...waiting].flatMap((agent) => (agent ? [agent.payer.address] : []));
  for (const wallet of wallets) assert.equal(await ground.chain.balanceMicro(wallet), FUNDS_MICRO, project.id);
  assert.equal(await ground.chain.balanceMicro(project.funder.address), PRIZE_MICRO, project.id);
}

it(`${ROUNDS} open projects stay consistent when everybody acts at once, and nothing is lost`, async () => {
  const rounds: Round[] = [];
  for (let index = 0; index < ROUNDS; index += 1) rounds.push(await prepare(index));
  const granted = await Promise.all(rounds.map(race));
  for (const [index, round] of rounds.entries()) await assertConsistent(round, granted[index]!);
  const outcomes = granted.map((all) => all.toSorted().join());
  assert.ok(new Set(outcomes).size > 1, outcomes.join('; '));
  await Promise.all(rounds.map(assertAllBack));
  await assertBooks({ url: other.url, operatorKey: ground.operatorKey });
});
