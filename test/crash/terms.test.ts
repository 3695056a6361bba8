import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { close, enter } from '../support/clients/contestants.ts';
import { drawing, expectStatus, openProject, type OpenProject } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process right before and right after the commit of a change that makes a version of the terms. The
// change and its version are both there, or neither is.

const ground = await prepareWorld({ env: { CLOSE_NOTICE_MINUTES: '60' } });
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };

const DAY_MS = 86_400_000;
type Terms = { deadline: string; closes_at: string | null };
type State = { deadline: Date; closesAt: Date | null; version: number; hash: string; versions: number; terms: Terms };

async function stateOf({ id }: OpenProject): Promise<State> {
  const [row] = await ground.db<(Omit<State, 'terms'> & { canonical: string })[]>`
    select p.auto_select_deadline as deadline, p.closes_at as "closesAt", p.terms_version as version,
      p.terms_hash as hash, (select count(*) from project_terms where project_id = p.id) as versions, t.canonical
    from projects p join project_terms t on t.project_id = p.id and t.version = p.terms_version and t.hash = p.terms_hash
    where p.id = ${id}`;
  assert.ok(row, 'the project names a version that exists');
  const { canonical, ...state } = row;
  return { ...state, terms: JSON.parse(canonical) as Terms };
}

const changes: { name: string; reason: string; send(project: OpenProject, deadline: Date): Promise<Answer> }[] = [
  {
    name: 'a move of the deadline',
    reason: 'deadline_moved',
    send: ({ id, poster }, deadline) =>
      call(url, 'PATCH', `/posters/me/projects/${id}`, {
        key: poster.key,
        body: { auto_select_deadline: deadline.toISOString() },
      }),
  },
  { name: 'an early close', reason: 'closes_early', send: (project) => close(market, project) },
];

describe('a crash of the process', () => {
  for (const { name, reason, send } of changes)
    for (const point of ['before the commit', 'after the commit'] as const)
      it(`${point} of ${name} leaves it with its terms, or without`, async () => {
        const project = await openProject(market, { entryFeeUsdc: 0 });
        if (reason === 'closes_early') await enter(market, project, { picture: await drawing(1) });
        const before = await stateOf(project);
        const later = new Date(before.deadline.getTime() + DAY_MS);
        await service.crashAt(point, 1, 'insert into project_terms');
        await assert.rejects(send(project, later));
        assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
        const killed = await stateOf(project);
        if (point === 'before the commit') assert.deepEqual(killed, before);
        else assert.deepEqual([killed.version, killed.versions], [2, 2]);
        service = await ground.start(Number(new URL(url).port));
        // The poster repeats its request. A deadline that has moved already is no later one.
        const isMoved = point === 'after the commit' && reason === 'deadline_moved';
        expectStatus(await send(project, later), isMoved ? 400 : 200);
        const { terms, deadline, closesAt, versions } = await stateOf(project);
        assert.equal(versions, 2);
        assert.deepEqual([terms.deadline, terms.closes_at], [deadline.toISOString(), closesAt?.toISOString() ?? null]);
        assert.equal(deadline.getTime() === later.getTime(), reason === 'deadline_moved');
        assert.equal(closesAt !== null, reason === 'closes_early');
        const shown = expectStatus(await call(url, 'GET', `/projects/${project.id}/terms`), 200).body.data;
        assert.deepEqual([shown.version, shown.reason, shown.terms], [2, reason, terms]);
      });
});
