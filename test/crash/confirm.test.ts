import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPayer, signPayment } from '../support/clients/client.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it confirms an uploaded picture. After a restart, the same confirmation enters the
// picture once.

const points: { point: CrashPoint; entered: boolean }[] = [
  { point: 'before reading', entered: false },
  { point: 'before keeping', entered: false },
  { point: 'after keeping', entered: false },
  { point: 'before the answer', entered: true },
];

const ground = await prepareWorld({ inspectionTimes: { waitMs: 5_000, leaseMs: 500, resumeAfterMs: 6_000 } });
const picture = await testPicture();
let service = await ground.start();
const { url } = service;
const project = await openProject({ url, mintUsdc: ground.mintUsdc });

async function upload() {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, project.id);
  const payer = newPayer();
  await ground.mintUsdc(payer.address, 1_000_000);
  const request = { key, projectId: project.id, submissionId: id, sizeBytes: picture.length };
  const headers = await signPayment(payer, expectStatus(await requestUpload(url, request), 402));
  const granted = expectStatus(await requestUpload(url, { ...request, headers }), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  return { id, send: () => confirm(url, key, project.id, id) };
}

async function submission(id: string) {
  const [row] = await ground.db<{ status: string; submittedAt: Date | null; requestedAt: Date | null }[]>`
    select s.status, s.submitted_at as "submittedAt", m.confirm_requested_at as "requestedAt"
    from submissions s join media_files m on m.submission_id = s.id where s.id = ${id}`;
  if (!row) throw new Error('no such submission');
  return row;
}

async function entries(): Promise<number> {
  const [row] = await ground.db<{ shown: number; counted: number }[]>`
    select total_submissions as shown,
      (select count(*) from submissions where project_id = projects.id and status = 'submitted') as counted
    from projects where id = ${project.id}`;
  assert.equal(row?.shown, row?.counted);
  return row?.counted ?? -1;
}

describe('a confirmation after a crash', () => {
  for (const { point, entered } of points) {
    it(`enters the picture once if the crash was ${point}`, async () => {
      const { id, send } = await upload();
      const before = await entries();
      await service.crashAt(point);
      await untilKilled(service, send);
      const { requestedAt, ...found } = await submission(id);
      assert.ok(requestedAt, 'the request is recorded');
      assert.equal(found.status, entered ? 'submitted' : 'pending');
      service = await ground.start(Number(new URL(url).port));

      const again = await until('the result', async () => {
        const answer = await send();
        return answer.status !== 503 && answer;
      });
      // The service does not repeat the lost answer. It says instead that the entry needs nothing more.
      assert.equal(again.status, entered ? 404 : 200, JSON.stringify(again.body));
      if (entered) assert.match(again.body.error.message, /already confirmed/);
      const { submittedAt } = await submission(id);
      assert.deepEqual(submittedAt, requestedAt, 'the time of the first request counts');
      assert.equal(await entries(), before + 1);
      const files = await ground.db`select status from media_files where submission_id = ${id}`;
      assert.deepEqual(
        files.map(({ status }) => status),
        ['completed'],
      );
    });
  }

  it('counts although its agent never comes back and the deadline passes', async () => {
    const { id, send } = await upload();
    await service.crashAt('before reading');
    await untilKilled(service, send);
    // The project is due, and the grace period over.
    const over = new Date(Date.now() - 40_000);
    await ground.db`update media_files set confirm_requested_at = ${over} where submission_id = ${id}`;
    await ground.db`update projects set auto_select_deadline = ${over}, due_at = ${over} where id = ${project.id}`;
    service = await ground.start(Number(new URL(url).port));
    const status = await until('the end of the project', async () => {
      const [row] = await ground.db<{ status: string }[]>`select status from projects where id = ${project.id}`;
      return row?.status !== 'open' && row?.status;
    });
    assert.equal(status, 'judging');
    assert.equal((await submission(id)).status, 'submitted');
  });
});
