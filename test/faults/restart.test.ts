import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { startPostgres } from '../../server/devnet/postgres.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { type Answer, call, newPayer } from '../support/clients/client.ts';
import { choose, close, type Contestant, FUNDS_MICRO, review } from '../support/clients/contestants.ts';
import { assertEnded, type Ending, sceneOf } from '../support/worlds/ending.ts';
import {
  brief,
  confirm,
  expectStatus,
  type OpenProject,
  putPicture,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startRelay } from '../support/servers/relay.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// A PostgreSQL of this file's own, stopped without a word (`-m immediate`) at any point of journeys whose clients ask
// again until they are answered: what was acknowledged is there, nobody pays or is paid twice, and each journey ends.

const STOPS = 6;
const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;
const FEE_MICRO = 250_000;
const LEFT_MICRO = FUNDS_MICRO - FEE_MICRO;

const dataDir = await mkdtemp(join(tmpdir(), 'concours-faults-restart-'));
// A server that is told to stop at once keeps what it has acknowledged only when it keeps it durably.
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
const picture = await testPicture();
after(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** As `pg_ctl stop -m immediate` does it; then its recovery at the next start. */
async function stopAtOnceAndStart(): Promise<void> {
  const pid = Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  await server.exited;
  server = await startPostgres(options);
  await relay.mend(Number(new URL(server.url).port));
}

/** What clients were told that did not work, to see that something was under way. */
let failures = 0;

/** The same request until it is answered with one of these, as a client with patience does; 402 is asked for once more. */
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

/** With money for two prizes, of which it should spend one. */
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
  const body = { title: 'Lighthouse at dusk' };
  const intent = await persist(
    () => call(url, 'POST', `/agents/projects/${projectId}/intent`, { key, body }),
    201,
    409,
  );
  // An intent whose answer was lost is named by the refusal of the second.
  const submissionId: string = intent.body.data?.submission.id ?? /[0-9a-f-]{36}/.exec(intent.body.error.message)?.[0];
  const request = { key, projectId, submissionId, sizeBytes: picture.length, fetch: payer.pay };
  const grant = await persist(() => requestUpload(url, request), 200);
  assert.equal(await putPicture(grant.body.data.uploadUrl, picture), 200);
  const confirmed = await persist(() => confirm(url, key, projectId, submissionId), 200, 404);
  if (confirmed.status === 404) assert.match(confirmed.body.error.message, /already confirmed/);
  return { ...agent, submissionId, payer };
}

/** To the point where nothing but payouts is left; how it has to end. */
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

/** By the scores of its poster, which closes it. */
const scored: Journey = async () => {
  const { project, first, second } = await entered();
  await persist(() => review(world, project, first, 3), 200);
  await persist(() => review(world, project, second, 4), 200);
  await persist(() => close(world, project), 200, 409);
  // Chosen or selected, by whoever comes first: it is the same.
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

/** Closed and never scored. */
const split: Journey = async () => {
  const { project, first, second } = await entered();
  await persist(() => close(world, project), 200, 409);
  const half = RECEIVES_MICRO / 2;
  return {
    ...completed,
    project,
    selection: 'split',
    winner: null,
    payoutsMicro: [half, half],
    fates: [first, second].map((who, index) => ({
      who,
      status: 'lost' as const,
      outcome: 'shared' as const,
      rank: index + 1,
      earningsMicro: half,
    })),
    balances: [
      [project.funder.address, PRIZE_MICRO],
      ...[first, second].map(({ payer }): [string, number] => [payer.address, LEFT_MICRO + half]),
    ],
  };
};

/** By the operator, with the fees paid. */
const cancelled: Journey = async () => {
  const { project, first, second } = await entered();
  const body = { reason: 'An outage' };
  const path = `/operator/projects/${project.id}/cancel`;
  await persist(() => call(url, 'POST', path, { key: operatorKey, body }), 200, 409);
  return {
    ...shared,
    project,
    status: 'cancelled',
    selection: null,
    winner: null,
    cancelReason: 'An outage',
    payoutsMicro: [],
    refundsMicro: [PRIZE_MICRO, FEE_MICRO, FEE_MICRO],
    platformFeeMicro: 0,
    feesKeptMicro: 0,
    fates: [first, second].map((who) => ({ who, status: 'cancelled' })),
    balances: [
      [project.funder.address, 2 * PRIZE_MICRO],
      ...[first, second].map(({ payer }): [string, number] => [payer.address, FUNDS_MICRO]),
    ],
  };
};

it(`PostgreSQL stops ${STOPS} times without a word, and every journey ends as if it had not`, async (t) => {
  const journeys = [scored, split, cancelled, scored, split, cancelled].map((run) => run());
  const ready = Promise.all(journeys);
  ready.catch(() => {});
  const stopped: number[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    const pauseMs = randomInt(50, 900);
    stopped.push(pauseMs);
    await sleep(pauseMs);
    await stopAtOnceAndStart();
  }
  t.diagnostic(`stopped after ${stopped.join(', ')} ms; ${failures} answers were failures`);
  const endings = await ready;
  // Once more, while the last of them are paid.
  await sleep(randomInt(50, 900));
  await stopAtOnceAndStart();
  await until('the service comes back', async () => (await fetch(`${url}/readyz`)).status === 200);
  await until('all is settled', async () => {
    // The service itself looks every 10 s.
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
