import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it writes a question, an answer, or a decision of the operator. The repeated request ends
// in the same state, and its event and record exist once.

const ground = await prepareWorld();
let service = await ground.start();
const { url } = service;
const { db, operatorKey } = ground;
const project = await openProject({ url, mintUsdc: ground.mintUsdc });
const { poster } = project;

type Case = { id: string; send(): Promise<Answer>; status: number; written(): Promise<number[]> };

const count = async (rows: Promise<readonly unknown[]>) => (await rows).length;

const cases: Record<string, () => Promise<Case>> = {
  async question() {
    const { key, id } = await registerAgent(url);
    const request = { key, headers: { 'idempotency-key': randomUUID() }, body: { question: 'Which colors?' } };
    return {
      id,
      status: 201,
      send: () => call(url, 'POST', `/agents/projects/${project.id}/questions`, request),
      written: async () => [
        await count(db`select from questions where agent_id = ${id}`),
        await count(db`select from events where type = 'QUESTION.ASKED' and data ->> 'agent_id' = ${id}`),
      ],
    };
  },
  async answer() {
    const id = await asked();
    const path = `/posters/me/projects/${project.id}/questions/${id}/answer`;
    return {
      id,
      status: 200,
      send: () => call(url, 'POST', path, { key: poster.key, body: { answer: 'Blue.' } }),
      written: async () => [
        await count(db`select from questions where id = ${id} and answered_at is not null`),
        await count(db`select from events where type = 'QUESTION.ANSWERED' and data ->> 'question_id' = ${id}`),
      ],
    };
  },
  async decision() {
    const id = await asked();
    const body = { hidden: true, reason: 'Advertising' };
    return {
      id,
      status: 200,
      send: () => call(url, 'POST', `/operator/questions/${id}/visibility`, { key: operatorKey, body }),
      written: async () => [
        await count(db`select from questions where id = ${id} and hidden_at is not null`),
        await count(db`select from audit_trail where subject = ${`question:${id}`}`),
      ],
    };
  },
};

async function asked(): Promise<string> {
  const { key } = await registerAgent(url);
  const body = { question: 'Which size?' };
  return expectStatus(await call(url, 'POST', `/agents/projects/${project.id}/questions`, { key, body }), 201).body.data
    .question.id;
}

const restart = async () => {
  service = await ground.start(Number(new URL(url).port));
};

for (const [name, prepare] of Object.entries(cases))
  describe(`a crash while the service writes the ${name}`, () => {
    it('before the commit leaves nothing, and the repeated request writes it once', async () => {
      const { send, status, written } = await prepare();
      // The last statement of the transaction waits for the table of its event or record.
      await db.begin(async (tx) => {
        await tx`lock table ${name === 'decision' ? tx`audit_trail` : tx`events`} in share row exclusive mode`;
        const lost = send().catch(() => null);
        await until('the write', async () => {
          const table = name === 'decision' ? '%insert into audit_trail%' : '%insert into events%';
          const waiting = await db`
            select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike ${table}`;
          return waiting.length > 0;
        });
        await service.running.kill('SIGKILL');
        await lost;
      });
      await restart();
      assert.deepEqual(await written(), [0, 0]);
      expectStatus(await send(), status);
      assert.deepEqual(await written(), [1, 1]);
    });

    it('before the answer has written it once, and the repeated request gets the answer', async () => {
      const { send, status, written } = await prepare();
      await service.crashAt('before the answer');
      await untilKilled(service, send);
      await restart();
      assert.deepEqual(await written(), [1, 1]);
      expectStatus(await send(), status);
      assert.deepEqual(await written(), [1, 1]);
    });
  });
