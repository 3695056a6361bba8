import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { brief, expectStatus, putPicture, registerPoster, testPicture } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';

// SIGKILL ends the process around each write of a reference picture and of a duplicate. The repeated request then
// succeeds once.

const ground = await prepareWorld({ inspectionTimes: { waitMs: 5_000, leaseMs: 700, resumeAfterMs: 500 } });
let service = await ground.start();
const { url } = service;
const { key } = await registerPoster(url);
const png = await testPicture();
const body = { ...brief(), auto_select_deadline: new Date(Date.now() + 86_400_000).toISOString() };
const post = async (path: string, sent?: object, headers = {}): Promise<Answer> =>
  await call(url, 'POST', `/posters/me/projects${path}`, { key, ...(sent ? { body: sent } : {}), headers });
const draft = async () => expectStatus(await post('', body), 201).body.data.project.id as string;
const file = { fileName: 'a.png', fileType: 'image/png', fileSize: png.length };
const listed = async (id: string) =>
  expectStatus(await call(url, 'GET', `/posters/me/projects/${id}/references`, { key }), 200).body.data.references as {
    id: string;
    status: string;
  }[];

async function dieAt(point: CrashPoint, work: () => Promise<Answer>): Promise<void> {
  await service.crashAt(point);
  await untilKilled(service, work);
  service = await ground.start(Number(new URL(url).port));
}

describe('after a crash', () => {
  for (const [point, left] of [
    ['before presign', 0],
    ['after presign', 0],
    ['before the answer', 1],
  ] as const)
    it(`${point}, the request for an upload URL left ${left} pictures, and works again`, async () => {
      const id = await draft();
      await dieAt(point, () => post(`/${id}/references`, file));
      assert.equal((await listed(id)).length, left);
      expectStatus(await post(`/${id}/references`, file), 201);
    });

  for (const point of ['before reading', 'before keeping', 'after keeping', 'before the answer'] as const)
    it(`${point}, the repeated confirmation attaches the picture`, async () => {
      const id = await draft();
      const { upload_url, reference } = expectStatus(await post(`/${id}/references`, file), 201).body.data;
      assert.equal(await putPicture(upload_url, png), 200);
      const confirm = () => post(`/${id}/references/${reference.id}/confirm`);
      await dieAt(point, confirm);
      await until('the lease of the killed process ends', async () => (await confirm()).status === 200);
      assert.deepEqual(
        (await listed(id)).map(({ status }) => status),
        ['ready'],
      );
    });

  for (const point of ['before keeping the answer', 'before the answer'] as const)
    it(`${point}, the repeated duplicate makes one draft`, async () => {
      const id = await draft();
      const { prize_amount, entry_fee, auto_select_deadline } = body;
      const money = { prize_amount, entry_fee, auto_select_deadline };
      const duplicate = () =>
        post(`/${id}/duplicate`, money, { 'idempotency-key': `copy-${point.replaceAll(' ', '-')}` });
      const count = async () => (await ground.db`select from projects`).length;
      const before = await count();
      await dieAt(point, duplicate);
      expectStatus(await duplicate(), 201);
      expectStatus(await duplicate(), 201);
      assert.equal(await count(), before + 1);
    });
});
