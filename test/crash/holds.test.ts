import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { close, type Contestant, enter, FUNDS_MICRO } from '../support/clients/contestants.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { drawing, expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process right before and right after the commit of each write about a result on hold. Before it,
// nothing has changed. After it, everything has, and the same request says so or succeeds again. In the end each project
// has paid once.

const PRIZE_MICRO = 2_000_000;
const RECEIVES_MICRO = 1_900_000;

const many = ['LIMIT_POSTER_PER_MINUTE', 'LIMIT_PUBLIC_READS_PER_MINUTE'].map((name) => [name, '100000']);
const ground = await prepareWorld({
  env: { AUTO_PAYOUT_HOLD_HOURS: '700', ...Object.fromEntries(many) },
});
const { db, chain, operatorKey } = ground;
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

type Case = { project: OpenProject; first: Contestant; second: Contestant };

let seed = 2000;
const picture = () => drawing((seed += 1));

async function entered(): Promise<Case> {
  const options = { prizeUsdc: PRIZE_MICRO / 1e6, entryFeeUsdc: 0.1, fields: { judging_hours: 1 } };
  const project = await openProject(market, options);
  const first = await enter(market, project, { picture: await picture() });
  return { project, first, second: await enter(market, project, { picture: await picture() }) };
}

/** A project in judging. `endJudging` lets its time for judging end. */
async function judged(): Promise<Case> {
  const given = await entered();
  expectStatus(await close(market, given.project), 200);
  return given;
}

const endJudging = ({ project }: Case) =>
  db`update projects set judging_ends_at = now(), due_at = now() where id = ${project.id}`;

async function held(): Promise<Case> {
  const given = await judged();
  await endJudging(given);
  await until('a result on hold', async () => (await ownProject(market, given.project))['result_on_hold'] !== null);
  return given;
}

const asOperator = (path: string, body: object = { reason: 'A crash' }): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key: operatorKey, body });
const object = ({ first }: Case) => {
  const path = `/agents/me/submissions/${first.submissionId}/objection`;
  return call(url, 'POST', path, { key: first.key, body: { reason: 'The result is wrong' } });
};

async function objected(): Promise<Case> {
  const given = await held();
  expectStatus(await object(given), 201);
  return given;
}

async function decideObjection({ project }: Case, decision: string): Promise<Answer> {
  const [row] = await db<{ id: string }[]>`select id from objections where project_id = ${project.id}`;
  return await asOperator(`objections/${row!.id}/decision`, { decision, reason: 'Looked at' });
}

/** The rows that a write about a result on hold can change. */
async function stateOf({ project }: Case): Promise<string> {
  const { id } = project;
  const [row] = await db`
    select
      (select jsonb_build_array(status, awarded_at, held_selection, held_until, hold_reason, fee_kept) from projects where id = ${id}) as project,
      (select coalesce(jsonb_agg(jsonb_build_array(reason, decision)), '[]') from objections where project_id = ${id}) as objections,
      (select coalesce(jsonb_agg(reference order by reference), '[]') from payouts where project_id = ${id}) as payouts,
      (select coalesce(jsonb_agg(jsonb_build_array(disqualified_at, outcome) order by id), '[]') from submissions where project_id = ${id}) as entries,
      (select count(*) from ledger_entries where account_id = ${`escrow:${id}`}) as journals,
      (select count(*) from audit_trail where subject = ${`project:${id}`}) as audited`;
  return JSON.stringify(row);
}

type Write = {
  name: string;
  /** A part of a statement that only its transaction sends. */
  sends: string;
  prepare: () => Promise<Case>;
  /** `null`: a timer writes, once the project is due. */
  send: ((given: Case) => Promise<Answer>) | null;
  due?: (given: Case) => Promise<unknown>;
};

const at = ({ project }: Case, path: string) => `projects/${project.id}/${path}`;
const writes: Write[] = [
  { name: 'a timer puts a result on hold', sends: 'set held_at =', prepare: judged, send: null, due: endJudging },
  { name: 'an agent objects', sends: 'insert into objections', prepare: held, send: object },
  {
    name: 'the operator upholds an objection',
    sends: 'update objections',
    prepare: objected,
    send: (given) => decideObjection(given, 'upheld'),
  },
  {
    name: 'the operator holds a payout',
    sends: 'set held_until =',
    prepare: held,
    send: (given) => asOperator(at(given, 'hold')),
  },
  {
    name: 'the operator disqualifies an entry',
    sends: 'set disqualified_at =',
    prepare: held,
    send: (given) => asOperator(at(given, `submissions/${given.second.submissionId}/disqualify`)),
  },
  {
    name: 'the operator releases a payout',
    sends: 'set awarded_at =',
    prepare: objected,
    send: (given) => asOperator(at(given, 'release')),
  },
  {
    name: 'the operator awards an open project',
    sends: 'set awarded_at =',
    prepare: entered,
    send: (given) => asOperator(at(given, 'award'), { submission_id: given.first.submissionId, reason: 'The best' }),
  },
  {
    name: 'the poster closes and chooses',
    sends: 'set awarded_at =',
    prepare: entered,
    send: ({ project, first }) =>
      call(url, 'POST', `/posters/me/projects/${project.id}/close-and-choose`, {
        key: project.poster.key,
        body: { submission_id: first.submissionId },
      }),
  },
  {
    name: 'the operator shares a prize',
    sends: 'set awarded_at =',
    prepare: judged,
    send: (given) => asOperator(at(given, 'share')),
  },
  {
    name: 'the operator cancels and keeps the fee',
    sends: 'insert into project_transitions',
    prepare: held,
    send: (given) => asOperator(at(given, 'cancel'), { reason: 'A crash', keep_fee: true }),
  },
  {
    name: 'a timer ends a hold',
    sends: 'set awarded_at =',
    prepare: objected,
    send: null,
    due: ({ project }) =>
      db`update projects set hold_ends_at = now(), held_until = now(), due_at = now() where id = ${project.id}`,
  },
];

const points = ['before the commit', 'after the commit'] as const;
const cases: { write: Write; point: (typeof points)[number]; given: Case }[] = [];
for (const write of writes) {
  const given = await Promise.all(points.map(() => write.prepare()));
  cases.push(...points.map((point, index) => ({ write, point, given: given[index]! })));
}

describe('a crash of the process', () => {
  for (const { write, point, given } of cases) {
    it(`while ${write.name}: ${point}`, async () => {
      const before = await stateOf(given);
      await service.crashAt(point, 1, write.sends);
      const due = write.due;
      if (due) await due(given);
      const changed = due ? await stateOf(given) : before;
      const sent = write.send?.(given).catch(() => null);
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      await sent;
      if (point === 'before the commit') assert.equal(await stateOf(given), changed);
      else assert.notEqual(await stateOf(given), changed);
      service = await ground.start(Number(new URL(url).port));
      if (write.send) {
        const again = await write.send(given);
        assert.ok([200, 201, 409].includes(again.status), JSON.stringify(again.body));
      }
      await until('the write is there', async () => (await stateOf(given)) !== changed);
    });
  }

  it('pays every prize once in the end', async () => {
    for (const { given } of cases) {
      const { project, first, second } = given;
      await until('the end', async () => {
        await asOperator(at(given, 'release'));
        const own = await ownProject(market, project);
        return ['completed', 'cancelled'].includes(String(own['status'])) && own['payout_status'] === 'settled';
      });
      const wallets = [project.funder.address, first.payer.address, second.payer.address];
      const balances = await Promise.all(wallets.map((wallet) => chain.balanceMicro(wallet)));
      const [{ selection }] = await db<[{ selection: string | null }]>`
        select selection from projects where id = ${project.id}`;
      // The prize less the platform fee went out once. An award keeps the fees of the two entries.
      const feesMicro = selection === 'operator' || selection === 'poster' ? 200_000 : 0;
      const total = balances.reduce((sum, micro) => sum + micro, 0);
      assert.equal(total, RECEIVES_MICRO + 2 * FUNDS_MICRO - feesMicro, `${project.id} ${selection}`);
    }
    await assertBooks({ url, operatorKey });
  });
});
