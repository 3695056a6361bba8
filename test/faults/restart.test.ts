import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { type Answer, call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, FUNDS_MICRO, review } from '../support/clients/contestants.ts';
import { assertEnded, type Ending, sceneOf } from '../support/endings/ending.ts';
import {
  brief,
  confirm,
  drawing,
  expectStatus,
  type OpenProject,
  putPicture,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { removeFolder } from '../support/remove-folder.ts';

// A PostgreSQL server of this file stops without warning (`-m immediate`) at any point of several journeys. Their
// clients repeat each request until it is answered. Acknowledged data stays, nobody pays or is paid twice, and each
// journey ends.

const STOPS = 4;
const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;
const FEE_MICRO = 250_000;
const LEFT_MICRO = FUNDS_MICRO - FEE_MICRO;

const dataDir = await mkdtemp(join(tmpdir(), 'concours-faults-restart-'));
// A server that stops at once keeps acknowledged data only if its writes are durable.
const options = { dataDir, password: randomBytes(12).toString('hex'), log: pino({ level: 'silent' }), durable: true };
let server = await startPostgres(options);
const relay = await startRelay(Number(new URL(server.url).port));
const databaseUrl = new URL(server.url);
databaseUrl.port = String(relay.port);
const world = await startWorld({
  databaseUrl: databaseUrl.toString(),
  paymentTimes: { waitMs: 5_000, leaseMs: 1_000 },
  env: Object.fromEntries(
    ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE', 'LIMIT_FAILED_PAYMENTS_PER_HOUR'].map((name) => [
      name,
      '100000',
    ]),
  ),
});
const { url, operatorKey, service } = world;
let pictures = 0;
after(async () => {
  await server.stop();
  await removeFolder(dataDir);
});

/** Stops the server as `pg_ctl stop -m immediate` does. The next start recovers it. */
async function stopAtOnceAndStart(): Promise<void> {
  const pid = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  await server.exited;
  server = await startPostgres(options);
  await relay.mend(Number(new URL(server.url).port));
}

/** Counts failed requests, to prove that the stops interrupted work. */
let failures = 0;

/**
 * Repeats a request until it gets one of these statuses, as a patient client does. After a 402, it requests the quote
 * again.
 */
async function persist(ask: () => Promise<Answer>, ...statuses: number[]): Promise<Answer> {
  return await until('an answer', async () => {
    const answer = await ask();
    if (statuses.includes(answer.status)) return answer;
    failures += 1;
    if (answer.status < 500 && answer.status !== 402) throw new Error(JSON.stringify([answer.status, answer.body]));
    return null;
  });
}

async function register(kind: 'agents' | 'posters'): Promise<{ id: string; key: string }> {
  const body =
    kind === 'posters'
      ? { poster_name: 'Poster' }
      : {
          agent_name: 'Agent',
          description: 'An agent that does not mind to ask again.',
          specializations: ['logo-design'],
        };
  const { data } = (await persist(() => call(url, 'POST', `/${kind}/create`, { body }), 201)).body;
  return { id: data.agentId ?? data.posterId, key: data.apiKey };
}

/** Opens a project. The poster has money for two prizes and should spend one. */
async function open(): Promise<OpenProject> {
  const [poster, funder] = [await register('posters'), newPayer()];
  await world.chain.mintUsdc(funder.address, 2 * PRIZE_MICRO);
  const body = brief({
    prizeUsdc: PRIZE_MICRO / 1e6,
    entryFeeUsdc: FEE_MICRO / 1e6,
    fields: { judging_hours: 0 },
  });
  const drafted = await persist(() => call(url, 'POST', '/posters/me/projects', { key: poster.key, body }), 201);
  const { id } = drafted.body.data.project;
  const publish = () => call(url, 'POST', `/posters/me/projects/${id}/publish`, { key: poster.key, fetch: funder.pay });
  await persist(publish, 200);
  return { id, poster, funder };
}

async function enter({ id: projectId }: OpenProject): Promise<Contestant> {
  const [agent, payer] = [await register('agents'), newPayer()];
  await world.chain.mintUsdc(payer.address, FUNDS_MICRO);
  const { key } = agent;
  const picture = await drawing((pictures += 1));
  const body = { title: 'Lighthouse at dusk' };
  const intent = await persist(
    () => call(url, 'POST', `/agents/projects/${projectId}/intent`, { key, body }),
    201,
    409,
  );
  // If the answer of an intent was lost, the refusal of the second intent names it.
  const submissionId: string = intent.body.data?.submission.id ?? /[0-9a-f-]{36}/.exec(intent.body.error.message)?.[0];
  const request = { key, projectId, submissionId, sizeBytes: picture.length, fetch: payer.pay };
  const grant = await persist(() => requestUpload(url, request), 200);
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  const confirmed = await persist(() => confirm(url, key, projectId, submissionId), 200, 404);
  if (confirmed.status === 404) assert.match(confirmed.body.error.message, /already confirmed/);
  return { ...agent, submissionId, payer };
}

/** Runs until only payouts remain. Returns the expected ending. */
type Journey = () => Promise<Ending>;

async function entered(): Promise<{ project: OpenProject; first: Contestant; second: Contestant }> {
  const project = await open();
  const first = await enter(project);
  return { project, first, second: await enter(project) };
}

const shared = { prizeMicro: PRIZE_MICRO, feesMicro: [FEE_MICRO, FEE_MICRO] };
const completed = {
  ...shared,
  status: 'completed' as const,
  refundsMicro: [],
  platformFeeMicro: PRIZE_MICRO - RECEIVES_MICRO,
  feesKeptMicro: 2 * FEE_MICRO,
};

/** The poster scores the entries and closes the project. */
const scored: Journey = async () => {
  const { project, first, second } = await entered();
  await persist(() => review(world, project, first, 3), 200);
  await persist(() => review(world, project, second, 4), 200);
  await persist(() => close(world, project), 200, 409);
  // The poster chooses, or the timer selects. Both choose the same entry.
  await persist(() => choose(world, project, second), 200, 409);
  const { selection } = (await persist(() => call(url, 'GET', `/projects/${project.id}/money`), 200)).body.data as Pick<
    Ending,
    'selection'
  >;
  return {
    ...completed,
    project,
    selection,
    winner: second.submissionId,
    payoutsMicro: [RECEIVES_MICRO],
    fates: [
      { who: first, status: 'lost', rank: 2, score: 3, feedback: 'Worth 3' },
      { who: second, status: 'won', rank: 1, score: 4, feedback: 'Worth 4', earningsMicro: RECEIVES_MICRO },
    ],
    balances: [
      [project.funder.address, PRIZE_MICRO],
      [first.payer.address, LEFT_MICRO],
      [second.payer.address, LEFT_MICRO + RECEIVES_MICRO],
    ],
  };
};

/** The poster closes the project and never scores it. Half of the prize is less than ten times the fee. */
const silent: Journey = async () => {
  const { project, first, second } = await entered();
  await persist(() => close(world, project), 200, 409);
  const half = RECEIVES_MICRO / 2;
  return {
    ...completed,
    project,
    selection: 'silence',
    refundsMicro: [FEE_MICRO, FEE_MICRO],
    feesKeptMicro: 0,
    winner: null,
    payoutsMicro: [half, half],
    fates: [first, second].map((who, index) => ({
      who,
      status: 'shared' as const,
      rank: index + 1,
      earningsMicro: half,
    })),
    balances: [
      [project.funder.address, PRIZE_MICRO],
      ...[first, second].map(({ payer }): [string, number] => [payer.address, FUNDS_MICRO + half]),
    ],
  };
};

it(`every journey ends normally although PostgreSQL stops ${STOPS} times without warning`, async () => {
  const journeys = [scored, silent, scored, silent].map((run) => run());
  const ready = Promise.all(journeys);
  ready.catch(() => {});
  for (let stop = 0; stop < STOPS; stop += 1) {
    await sleep(randomInt(50, 900));
    await stopAtOnceAndStart();
  }
  const endings = await ready;
  // Stop the server once more during the last payouts.
  await sleep(randomInt(50, 900));
  await stopAtOnceAndStart();
  await until('the service comes back', async () => (await fetch(`${url}/readyz`)).status === 200);
  await until('all is settled', async () => {
    // The service itself sweeps every 10 s.
    await sweepPayments(service.deps);
    const [unsettled] = await service.deps.db`
      select 1 from projects where status in ('open', 'judging')
      union all select 1 from payouts where state <> 'settled' union all select 1 from payments where state = 'settling'`;
    return unsettled === undefined;
  });
  for (const ending of endings) await assertEnded(sceneOf(world), ending);
  assert.ok(failures > 0, 'somebody has noticed');
  expectStatus(await call(url, 'GET', '/operator/ledger', { key: operatorKey }), 200);
});
