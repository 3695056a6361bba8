import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call, newPayer, type Payer } from '../support/clients/client.ts';
import { asPoster, close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import {
  assertBooks,
  confirm,
  createIntent,
  drawing,
  expectStatus,
  openProject,
  type OpenProject,
  ownProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';

// Two processes and their timers act on the same projects in the same moment.

const PRIZE_MICRO = 2_000_000;
const FEE_MICRO = 100_000;
const ground = await prepareWorld({ env: { ...NO_LIMITS, CONFIRM_GRACE_SECONDS: '1' } });
const { db, chain, operatorKey } = ground;
const services = [await ground.start(), await ground.start()] as const;
type Market = { url: string; mintUsdc: typeof ground.mintUsdc };
const [one, other] = services.map(({ url }) => ({ url, mintUsdc: ground.mintUsdc })) as [Market, Market];

const asOperator = ({ url }: Market, path: string): Promise<Answer> =>
  call(url, 'POST', `/operator/projects/${path}`, { key: operatorKey, body: { reason: 'A race' } });

type Act = { by: string; send: () => Promise<Answer> };

/** Sends all requests at once. Each is the first in some rounds. Returns the names of those that were granted. */
async function allAtOnce(acts: Act[], round: number, refusals: (by: string) => number[]): Promise<string[]> {
  const turn = round % acts.length;
  const answers = await Promise.all(
    [...acts.slice(turn), ...acts.slice(0, turn)].map(async ({ by, send }) => ({ by, answer: await send() })),
  );
  for (const { by, answer } of answers)
    assert.ok(
      answer.status === 200 || refusals(by).includes(answer.status),
      `${by}: ${answer.status} ${JSON.stringify(answer.body)}`,
    );
  return answers.filter(({ answer }) => answer.status === 200).map(({ by }) => by);
}

const balancesOf = (payers: Payer[]) => Promise.all(payers.map(({ address }) => chain.balanceMicro(address)));

async function untilPaidOut({ id }: OpenProject): Promise<void> {
  await until('all payouts', async () => {
    const rows = await db<{ state: string }[]>`select state from payouts where project_id = ${id}`;
    const settling = await db`
      select 1 from payments join submissions s on s.id = subject_id where s.project_id = ${id} and state = 'settling'`;
    return rows.length > 0 && settling.length === 0 && rows.every(({ state }) => state === 'settled');
  });
}

type Reserved = { key: string; submissionId: string; payer: Payer };
type Round = {
  project: OpenProject;
  /** Null in rounds in which nobody has paid, so that the poster may cancel. */
  entered: { confirmed: Contestant; uploaded: Reserved } | null;
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
  if (index % 2 === 1) return { project, entered: null, waiting };
  const confirmed = await enter(one, project, { picture: await drawing(4000 + 2 * index) });
  const [uploaded, picture] = [await reserve(project), await drawing(4001 + 2 * index)];
  const grant = expectStatus(await pay(one, project, uploaded, picture.length), 200);
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  return { project, entered: { confirmed, uploaded }, waiting };
}

function actsOf({ project, entered, waiting }: Round, index: number): Act[] {
  const extendBy = (hours: number) => ({
    auto_select_deadline: new Date(Date.now() + hours * 3_600_000).toISOString(),
  });
  const acts: Act[] = [
    ...waiting.map((agent, place) => ({ by: 'pay', send: () => pay(place === 0 ? one : other, project, agent) })),
    { by: 'close', send: () => close(index % 4 < 2 ? one : other, project) },
    { by: 'cancel', send: () => asPoster(other, project, ['POST', '/cancel', {}]) },
    { by: 'extend', send: () => asPoster(one, project, ['PATCH', '', extendBy(12)]) },
    { by: 'extend', send: () => asPoster(other, project, ['PATCH', '', extendBy(13)]) },
  ];
  if (!entered) return acts;
  const { key, submissionId } = entered.uploaded;
  const disqualified = `${project.id}/submissions/${entered.confirmed.submissionId}/disqualify`;
  return [
    ...acts,
    // The pictures lie in the folder of both processes.
    ...[one, other].map(({ url }) => ({ by: 'confirm', send: () => confirm(url, key, project.id, submissionId) })),
    { by: 'disqualify', send: () => asOperator(other, disqualified) },
    ...(index % 4 === 2 ? [{ by: 'operator', send: () => asOperator(one, `${project.id}/cancel`) }] : []),
  ];
}

async function assertConsistent({ project, entered }: Round, all: string[]): Promise<void> {
  const granted = new Set(all);
  const [row] = await db<{ taken: number; live: number; entries: number; counted: number }[]>`
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
  if (!entered) return;
  assert.ok(!granted.has('cancel'));
  assert.ok(all.filter((by) => by === 'extend').length <= 1, 'one extension after the first entry');
  if (!granted.has('confirm')) return;
  const { submissionId } = entered.uploaded;
  const [entry] = await db`select 1 from submissions where id = ${submissionId} and status = 'submitted'`;
  assert.ok(entry, 'the confirmation that was granted counts');
}

/** Cancels the project, unless that has happened, and asserts that every wallet has what it had at first. */
async function assertAllBack({ project, entered, waiting }: Round): Promise<void> {
  await until('the cancellation', async () => {
    await asOperator(one, `${project.id}/cancel`);
    return (await ownProject(one, project))['status'] === 'cancelled';
  });
  await untilPaidOut(project);
  const agents = [...waiting, ...(entered ? [entered.confirmed, entered.uploaded] : [])];
  assert.deepEqual(
    await balancesOf(agents.map(({ payer }) => payer)),
    agents.map(() => FUNDS_MICRO),
  );
  assert.deepEqual(await balancesOf([project.funder]), [PRIZE_MICRO]);
}

it('open projects stay consistent when everybody acts at once, and nothing is lost', async () => {
  const rounds: Round[] = [];
  for (let index = 0; index < 4; index += 1) rounds.push(await prepare(index));
  // 503: the inspection or the payment goes on, and the same request tells the result later. 400: the other extension
  // came first, and its deadline is later.
  const refusals = (by: string) => [404, 409, 503, ...(by === 'extend' ? [400] : [])];
  const granted = await Promise.all(rounds.map((round, index) => allAtOnce(actsOf(round, index), index, refusals)));
  for (const [index, round] of rounds.entries()) await assertConsistent(round, granted[index]!);
  await Promise.all(rounds.map(assertAllBack));
  await assertBooks({ url: other.url, operatorKey });
});
