import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process right before or right after the commit of a request. Each row is a shape of verbs. All verbs of
// a shape write by the same function, `withTransaction` or `runIdempotent`, so one verb stands for them. Before the
// commit, nothing has happened. After it, everything has, once, also what follows the commit. The same request then gets
// the same answer. Other files kill the other shapes: payments.test.ts the paid verbs, confirm.test.ts uploads,
// payouts.test.ts what the jobs send, alone and in batches.

const ground = await prepareWorld();
const { db } = ground;
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

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
      const before = await ground.chain.balanceMicro(winner.payer.address);
      return {
        send: () => choose(market, project, winner),
        status: 200,
        async written() {
          const [row] = await db<Record<string, number>[]>`
            select (select count(*)::int from payouts where project_id = ${id}) as payouts,
              (select count(*)::int from submissions where project_id = ${id} and outcome = 'won') as wins,
              (select total_wins from agents where id = ${winner.id}) as counted,
              (select count(*)::int from events where type = 'SUBMISSION.WON' and data ->> 'project_id' = ${id}) as events,
              (select count(*)::int from audit_trail
                where action = 'project.award' and subject = ${`project:${id}`}) as audits`;
          return { ...row };
        },
        async follows() {
          await until('the payout', async () => (await settled()) === 1);
          assert.equal(await ground.chain.balanceMicro(winner.payer.address), before + 950_000);
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
              (select count(*)::int from agent_keys k join agents a on a.id = k.agent_id where a.name = ${name}) as keys`;
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
        await service.crashAt(point, 1, write);
        assert.equal(await send().catch(() => null), null, 'no answer');
        assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
        const committed = point === 'after the commit';
        await assertWritten(committed ? 1 : 0);
        service = await ground.start(Number(new URL(url).port));
        const answer = expectStatus(await send(), status);
        assert.equal(answer.headers.get('idempotency-replayed'), replays && committed ? 'true' : null);
        await assertWritten(1);
        await follows(answer);
        const again = expectStatus(await send(), status);
        if (replays) assert.deepEqual(again.body, answer.body);
        await assertWritten(1);
      });
  });
