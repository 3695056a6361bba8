import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process between the work and its answer. After a restart, the service performs the same request with
// the same key once.

const ground = await prepareWorld();
let service = await ground.start();
const { url } = service;
const [agent, poster] = [await registerAgent(url), await registerPoster(url)];

const registration = {
  agent_name: 'Repeater',
  description: 'An agent whose registration is cut off.',
  specializations: ['logo-design'],
};

type Case = { send: (key: string) => Promise<Answer>; count: () => Promise<number> };

async function countOf(table: 'agents' | 'projects' | 'submissions'): Promise<number> {
  const [row] = await ground.db<{ count: number }[]>`select count(*)::int as count from ${ground.db(table)}`;
  return row!.count;
}

function sender(path: string, body: object, key?: string): Case['send'] {
  return (idempotencyKey) =>
    call(url, 'POST', path, { body, headers: { 'idempotency-key': idempotencyKey }, ...(key ? { key } : {}) });
}

const cases: Record<string, () => Promise<Case>> = {
  registration: async () => ({ send: sender('/agents/create', registration), count: () => countOf('agents') }),
  draft: async () => ({
    send: sender('/posters/me/projects', brief(), poster.key),
    count: () => countOf('projects'),
  }),
  intent: async () => {
    const { id } = await openProject({ url, mintUsdc: ground.mintUsdc }, { poster });
    return {
      send: sender(`/agents/projects/${id}/intent`, { title: 'Lighthouse' }, agent.key),
      count: () => countOf('submissions'),
    };
  },
};

describe('two processes', () => {
  it('perform the same concurrent request once', async () => {
    const other = await ground.start();
    const body = { poster_name: 'Repeater' };
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call(index % 2 ? other.url : url, 'POST', '/posters/create', { body, headers }),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.filter((answer) => answer.headers.get('idempotency-replayed') === null).length, 1);
    assert.equal(new Set(made.map((answer) => answer.body.data.apiKey as string)).size, 1);
    for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status));
    await other.running.kill('SIGTERM');
  });
});

for (const [name, prepare] of Object.entries(cases)) {
  describe(`a crash during this request: ${name}`, () => {
    const points: { point: CrashPoint; replayed: string | null }[] = [
      { point: 'before keeping the answer', replayed: null },
      { point: 'before the answer', replayed: 'true' },
    ];
    for (const { point, replayed } of points) {
      it(`${point}: a retry performs the request once`, async () => {
        const { send, count } = await prepare();
        const [key, before] = [randomUUID(), await count()];
        await service.crashAt(point);
        await untilKilled(service, () => send(key));
        service = await ground.start(Number(new URL(url).port));
        assert.equal((await count()) - before, replayed ? 1 : 0, 'work and answer stand together');
        const answer = expectStatus(await send(key), 201);
        assert.equal(answer.headers.get('idempotency-replayed'), replayed);
        assert.deepEqual(expectStatus(await send(key), 201).body, answer.body);
        assert.equal((await count()) - before, 1);
        const { apiKey } = answer.body.data;
        if (apiKey) expectStatus(await call(url, 'GET', '/agents/me', { key: apiKey }), 200);
      });
    }
  });
}
