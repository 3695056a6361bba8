import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newPayer, signPayment } from '../support/clients/client.ts';
import type { CrashPoint } from '../support/processes/crashing-service.ts';
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
import { prepareGround, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while it confirms an uploaded picture. After a restart, the same confirmation enters the
// picture once.

const points: { point: CrashPoint; entered: boolean }[] = [
  { point: 'before keeping', entered: false },
  { point: 'after keeping', entered: false },
  { point: 'before the answer', entered: true },
];

const ground = await prepareGround();
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
      service = await ground.start(Number(new URL(url).port));
      assert.equal(await entries(), before + (entered ? 1 : 0));

      const again = await send();
      // The service does not repeat the lost answer. It says instead that the entry needs nothing more.
      assert.equal(again.status, entered ? 404 : 200, JSON.stringify(again.body));
      if (entered) assert.match(again.body.error.message, /already confirmed/);
      assert.equal(await entries(), before + 1);
      const files = await ground.db`select status from media_files where submission_id = ${id}`;
      assert.deepEqual(
        files.map(({ status }) => status),
        ['completed'],
      );
    });
  }
});
