import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enter } from '../support/clients/contestants.ts';
import {
  confirm,
  expectStatus,
  openProject,
  putPicture,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it confirms an uploaded picture. After a restart, the same confirmation enters the
// picture once.

const ground = await prepareWorld({ inspectionTimes: { waitMs: 5_000, leaseMs: 500, resumeAfterMs: 1_000 } });
const { db } = ground;
const picture = await testPicture();
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const project = await openProject(market, { entryFeeUsdc: 0 });

async function upload() {
  const { key, submissionId: id } = await enter(market, project, { until: 'intent', wallet: 'none' });
  const request = { key, projectId: project.id, submissionId: id, sizeBytes: picture.length };
  const granted = expectStatus(await requestUpload(url, request), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  return { id, send: () => confirm(url, key, project.id, id) };
}

async function submission(id: string) {
  const [row] = await db<{ status: string; submittedAt: Date | null; requestedAt: Date | null; file: string }[]>`
    select s.status, s.submitted_at as "submittedAt", m.confirm_requested_at as "requestedAt", m.status as file
    from submissions s join media_files m on m.submission_id = s.id where s.id = ${id}`;
  return row ?? assert.fail('no such submission');
}

async function dieAt(point: CrashPoint, send: () => ReturnType<typeof confirm>): Promise<void> {
  await service.crashAt(point);
  await untilKilled(service, send);
}

async function restart(): Promise<void> {
  service = await ground.start(Number(new URL(url).port));
}

describe('a confirmation after a crash', () => {
  for (const [point, entered] of [
    ['after keeping', false],
    ['before the answer', true],
  ] as const)
    it(`enters the picture once if the crash was ${point}`, async () => {
      const { id, send } = await upload();
      await dieAt(point, send);
      const { requestedAt, status } = await submission(id);
      assert.ok(requestedAt, 'the request is recorded');
      assert.equal(status, entered ? 'submitted' : 'pending');
      await restart();
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

  it('counts although its agent never comes back and the deadline passes', async () => {
    const { id, send } = await upload();
    await dieAt('before reading', send);
    // The project is due, and the grace period over.
    const over = new Date(Date.now() - 40_000);
    await db`update media_files set confirm_requested_at = ${over} where submission_id = ${id}`;
    await db`update projects set auto_select_deadline = ${over}, due_at = ${over} where id = ${project.id}`;
    await restart();
    const ended = await until('the end of the project', async () => {
      const [row] = await db<{ status: string; shown: number; counted: number }[]>`
        select status, total_submissions as shown,
          (select count(*)::int from submissions where project_id = projects.id and status = 'submitted') as counted
        from projects where id = ${project.id}`;
      return row?.status !== 'open' && row;
    });
    assert.deepEqual(ended, { status: 'judging', shown: 3, counted: 3 });
    assert.equal((await submission(id)).status, 'submitted');
  });
});
