import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import {
  assertBooks,
  brief,
  confirm,
  expectStatus,
  openProject,
  putPicture,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import {
  assertFeeTakenOnce,
  assertPaidOnce,
  type Entry,
  FEE_MICRO,
  type Pay,
  retryAll,
  type Signed,
  signedEntry,
  signedTwice,
} from '../support/money/crashed-payments.ts';
import { crashWorld } from '../support/processes/crash-world.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { until } from '../support/processes/processes.ts';

// SIGKILL ends the process right before or right after the commit of a request. Before the commit, nothing has happened.
// After it, everything has, once, also what follows the commit. The same request then gets the same answer.
// test/crash/payouts.test.ts kills what the jobs send, alone and in batches. test/wide has more points.

const PRIZE_MICRO = 1_000_000;
const world = await crashWorld();
const { db, url, market } = world;
const picture = await testPicture();
const poster = await registerPoster(url);

/** One run of a verb. */
type Run = {
  send: () => Promise<Answer>;
  status: number;
  /** Counts what the transaction writes: all 0 before it, and all 1 after it. */
  written: () => Promise<Record<string, number>>;
  /** Asserts what follows the commit, from the answer to the repeated request. */
  follows: (answer: Answer) => Promise<void>;
  /** The answers of this verb are stored, and repeated word for word. */
  replays: boolean;
};

/** `write`: a part of a statement that only the transaction of this verb sends. */
type Shape = { name: string; write: string; prepare: () => Promise<Run> };

/**
 * Each shape stands for its verbs: all verbs of a shape write by the same function, `withTransaction` or
 * `runIdempotent`.
 */
const shapes: Shape[] = [
  {
    name: 'a verb with withTransaction: the choice of a winner',
    write: 'insert into payouts',
    async prepare() {
      const project = await openProject(market, { entryFeeUsdc: 0 });
      const winner = await enter(market, project);
      expectStatus(await close(market, project), 200);
      const { id } = project;
      const settled = async () =>
        (await db`select 1 from payouts where project_id = ${id} and state = 'settled'`).length;
      const before = await world.chain.balanceMicro(winner.payer.address);
      return {
        send: () => choose(market, project, winner),
        status: 200,
        async written() {
          const [row] = await db<Record<string, number>[]>`
            select (select count(*)::int from payouts where project_id = ${id}) as payouts,
              (select count(*)::int from submissions where project_id = ${id} and outcome = 'won') as wins,
              (select wins from agent_figures where agent_id = ${winner.id} and scope = 'overall') as counted,
              (select count(*)::int from events where type = 'SUBMISSION.WON' and data ->> 'project_id' = ${id}) as events,
              (select count(*)::int from audit_trail
                where action = 'project.award' and subject = ${`project:${id}`}) as audits`;
          return { ...row };
        },
        async follows() {
          await until('the payout', async () => (await settled()) === 1);
          assert.equal(await world.chain.balanceMicro(winner.payer.address), before + 950_000);
        },
        replays: false,
      };
    },
  },
  {
    name: 'a verb with runIdempotent: a registration',
    write: 'update idempotency_keys set answer',
    async prepare() {
      const name = `Repeater ${randomUUID().slice(0, 8)}`;
      const body = {
        agent_name: name,
        description: 'An agent whose registration is cut off.',
        specializations: ['logo-design'],
      };
      const headers = { 'idempotency-key': randomUUID() };
      return {
        send: () => call(url, 'POST', '/agents/create', { body, headers }),
        status: 201,
        async written() {
          const [row] = await db<Record<string, number>[]>`
            select (select count(*)::int from agents where name = ${name}) as agents,
              (select count(*)::int from api_keys k join agents a on a.id = k.account_id where a.name = ${name}) as keys`;
          return { ...row };
        },
        async follows({ body: { data } }) {
          expectStatus(await call(url, 'GET', '/agents/me', { key: data.apiKey }), 200);
        },
        replays: true,
      };
    },
  },
];

for (const { name, write, prepare } of shapes)
  describe(name, () => {
    for (const point of ['before the commit', 'after the commit'] as const)
      it(`happens once if the crash was ${point}`, async () => {
        const { send, status, written, follows, replays } = await prepare();
        const assertWritten = async (count: 0 | 1) => {
          const counts = await written();
          assert.ok(
            Object.values(counts).every((each) => each === count),
            JSON.stringify(counts),
          );
        };
        await assertWritten(0);
        await world.crashAt(point, 1, write);
        assert.equal(await send().catch(() => null), null, 'no answer');
        await world.killed();
        const committed = point === 'after the commit';
        await assertWritten(committed ? 1 : 0);
        await world.restart();
        const answer = expectStatus(await send(), status);
        assert.equal(answer.headers.get('idempotency-replayed'), replays && committed ? 'true' : null);
        await assertWritten(1);
        await follows(answer);
        const again = expectStatus(await send(), status);
        if (replays) assert.deepEqual(again.body, answer.body);
        await assertWritten(1);
      });
  });

async function uploaded(projectId: string) {
  const { key, submissionId: id } = await enter(market, { id: projectId }, { until: 'intent', wallet: 'none' });
  const request = { key, projectId, submissionId: id, sizeBytes: picture.length };
  const granted = expectStatus(await requestUpload(url, request), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  return { id, send: () => confirm(url, key, projectId, id) };
}

async function submission(id: string) {
  const [row] = await db<{ status: string; submittedAt: Date | null; requestedAt: Date | null; file: string }[]>`
    select s.status, s.submitted_at as "submittedAt", m.confirm_requested_at as "requestedAt", m.status as file
    from submissions s join media_files m on m.submission_id = s.id where s.id = ${id}`;
  return row ?? assert.fail('no such submission');
}

describe('a confirmation', () => {
  for (const [point, entered] of [
    ['after keeping', false],
    ['before the answer', true],
  ] as const)
    it(`enters the picture once if the crash was ${point}`, async () => {
      const project = await openProject(market, { entryFeeUsdc: 0 });
      const { id, send } = await uploaded(project.id);
      await world.crashAt(point);
      await world.untilKilled(send);
      const { requestedAt, status } = await submission(id);
      assert.ok(requestedAt, 'the request is recorded');
      assert.equal(status, entered ? 'submitted' : 'pending');
      await world.restart();
      const again = await until('the result', async () => {
        const answer = await send();
        return answer.status !== 503 && answer;
      });
      // Once the service has finished the confirmation, it says that the entry needs nothing more.
      if (entered || again.status !== 200)
        assert.match(expectStatus(again, 404).body.error.message, /already confirmed/);
      const found = await submission(id);
      assert.deepEqual(found, { status: 'submitted', submittedAt: requestedAt, requestedAt, file: 'completed' });
    });
});

describe('an entry fee', () => {
  const paid: Entry[] = [];

  for (const point of ['in the booking', 'before the answer'] as const)
    it(`is taken once if the crash was ${point}`, async () => {
      const { id } = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });
      const entry = await signedEntry(world, id, picture.length);
      await assertFeeTakenOnce(world, entry, { point, claimed: true });
      paid.push(entry);
    });

  // In one process of the service, because each process starts its own decoders of pictures.
  it('lets every agent enter that has paid', async () => {
    assert.equal(paid.length, 2);
    for (const { pay, key, id, projectId } of paid) {
      const { uploadUrl } = expectStatus(await pay(), 200).body.data;
      assert.equal(await putPicture(uploadUrl, picture), 200);
      expectStatus(await confirm(url, key, projectId, id), 200);
    }
  });
});

async function draft() {
  const path = '/posters/me/projects';
  const { key } = poster;
  const { id } = expectStatus(await call(url, 'POST', path, { key, body: brief() }), 201).body.data.project;
  const pay: Pay = (headers = {}) => call(url, 'POST', `${path}/${id}/publish`, { key, headers });
  return { id: id as string, ...(await signedTwice(world, pay)) };
}

async function dieAt(point: CrashPoint, { pay, first }: Signed, write = ''): Promise<void> {
  await world.crashAt(point, 1, write);
  await world.untilKilled(() => pay(first));
}

describe('a prize', () => {
  /** A project has terms from the commit that opens it. A killed process leaves both or neither. */
  async function assertOpened(id: string, opened: boolean): Promise<void> {
    const [row] = await db<{ status: string; terms: number; openings: number }[]>`
      select status, (select count(*)::int from project_terms where project_id = p.id) as terms,
        (select count(*)::int from project_transitions where project_id = p.id and to_status = 'open') as openings
      from projects p where id = ${id}`;
    const count = opened ? 1 : 0;
    assert.deepEqual(row, { status: opened ? 'open' : 'draft', terms: count, openings: count });
  }

  it('is taken once, and opens the project once, if the crash was in the booking', async () => {
    const drafted = await draft();
    await dieAt('in the booking', drafted);
    await assertOpened(drafted.id, false);
    await world.restart();
    await retryAll(drafted, true);
    await assertPaidOnce(world, drafted, PRIZE_MICRO);
    await assertOpened(drafted.id, true);
  });
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
});
