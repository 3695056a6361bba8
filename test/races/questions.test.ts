import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Questions and answers on two processes with one database.

const ground = await prepareWorld({ env: { EARLY_ACCESS_SECONDS: '0' } });
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const market = { url, mintUsdc: ground.mintUsdc };
const project = await openProject(market);
const { key, id: agentId } = await registerAgent(url);

const ask = (index: number): Promise<Answer> =>
  call(urls[index % 2]!, 'POST', `/agents/projects/${project.id}/questions`, {
    key,
    body: { question: `Question ${index}?` },
  });
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);

it('takes five of eight questions that an agent asks at the same time', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index)));
  assert.deepEqual(statuses(answers), [201, 201, 201, 201, 201, 429, 429, 429]);
  const [row] = await ground.db`select count(*)::int as count from questions where agent_id = ${agentId}`;
  assert.equal(row?.['count'], 5);
});

it('answers once for equal answers, and leaves a hidden question as it was', async () => {
  const { questions } = expectStatus(
    await call(url, 'GET', `/posters/me/projects/${project.id}/questions`, { key: project.poster.key }),
    200,
  ).body.data as { questions: { id: string }[] };
  const answer = (id: string, index: number, text: string) =>
    call(urls[index % 2]!, 'POST', `/posters/me/projects/${project.id}/questions/${id}/answer`, {
      key: project.poster.key,
      body: { answer: text },
    });
  const hide = (id: string, index: number) =>
    call(urls[index % 2]!, 'POST', `/operator/questions/${id}/visibility`, {
      key: ground.operatorKey,
      body: { hidden: true, reason: 'Advertising' },
    });
  const [first, ...others] = questions.map(({ id }) => id);
  assert.ok(first);
  const same = await Promise.all(Array.from({ length: 6 }, (_, index) => answer(first, index, 'Blue.')));
  assert.deepEqual(statuses(same), [200, 200, 200, 200, 200, 200]);
  const sent = async () =>
    (await ground.db`select count(*)::int as count from events where type = 'QUESTION.ANSWERED'`)[0]?.['count'];
  assert.equal(await sent(), 1);
  for (const id of others) {
    const [answered, hidden] = await Promise.all([answer(id, 0, 'Gray.'), hide(id, 1)]);
    assert.equal(hidden.status, 200);
    const [row] = await ground.db<{ answer: string | null; trail: number }[]>`
      select answer, (select count(*)::int from audit_trail where subject = ${`question:${id}`}) as trail
      from questions where id = ${id}`;
    assert.deepEqual([answered.status, row?.trail], [row?.answer === null ? 409 : 200, 1]);
  }
});
