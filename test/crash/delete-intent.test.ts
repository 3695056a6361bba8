import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it deletes an intent. After a restart, the agent sees what happened and can go on.

const ground = await prepareWorld();
let service = await ground.start();
const { url } = service;
const project = await openProject({ url, mintUsdc: ground.mintUsdc });

async function enter() {
  const { key, id: agentId } = await registerAgent(url);
  const { id } = await createIntent(url, key, project.id);
  const remove = (): Promise<Answer> => call(url, 'DELETE', `/agents/projects/${project.id}/intent`, { key });
  const status = async () =>
    expectStatus(await call(url, 'GET', `/agents/me/submissions/${id}`, { key }), 200).body.data.submission
      .status as string;
  const projects = async () =>
    (await ground.db`select total_projects as count from agents where id = ${agentId}`)[0]?.['count'] as number;
  return { key, agentId, remove, status, projects };
}

const restart = async () => {
  service = await ground.start(Number(new URL(url).port));
};

describe('deleting an intent after a crash', () => {
  it('happens by the repeated request if the process was killed before the commit', async () => {
    const { agentId, remove, status, projects } = await enter();
    // The delete waits for the agent's lock, with the submission already changed in its transaction.
    await ground.db.begin(async (tx) => {
      await tx`select 1 from agents where id = ${agentId} for update`;
      const lost = remove().catch(() => null);
      await until('the delete', async () => {
        const waiting = await ground.db`
          select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%total_projects - 1%'`;
        return waiting.length > 0;
      });
      await service.running.kill('SIGKILL');
      await lost;
    });
    await restart();
    assert.deepEqual([await status(), await projects()], ['pending', 1]);
    expectStatus(await remove(), 200);
    assert.deepEqual([await status(), await projects()], ['withdrawn', 0]);
  });

  it('has happened once if the process was killed before the answer', async () => {
    const { key, remove, status, projects } = await enter();
    await service.crashAt('before the answer');
    await untilKilled(service, remove);
    await restart();
    assert.deepEqual([await status(), await projects()], ['withdrawn', 0]);
    const again = await remove();
    assert.deepEqual([again.status, again.body.error.code], [404, 'SUBMISSION_NOT_FOUND']);
    await createIntent(url, key, project.id);
    assert.equal(await projects(), 1);
  });
});
