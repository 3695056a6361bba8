import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

// SIGKILL ends the process while it confirms a set. The items whose inspection was recorded are not inspected again, and
// the entry is committed once, with all of its items.

const ITEMS = [1, 2, 3, 4, 5];

const ground = await prepareWorld({ inspectionTimes: { waitMs: 5_000, leaseMs: 500, resumeAfterMs: 6_000 } });
const picture = await testPicture();
const bad = Buffer.from(await testPicture(2, 'jpeg'));
let service = await ground.start();
const { url } = service;
const project = await openProject(
  { url, mintUsdc: ground.mintUsdc },
  { entryFeeUsdc: 0, fields: { item_count: ITEMS.length } },
);

/** Uploads a set. The picture of the `refused` item is not accepted. */
async function upload({ refused = 0, items = ITEMS }: { refused?: number; items?: number[] } = {}) {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, project.id);
  for (const item of items) {
    const bytes = item === refused ? bad : picture;
    const request = { key, projectId: project.id, submissionId: id, sizeBytes: bytes.length, item };
    const granted = expectStatus(await requestUpload(url, request), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, bytes), 200);
  }
  return { id, send: (body?: object) => confirm(url, key, project.id, id, body) };
}

async function stateOf(id: string) {
  const files = await ground.db<{ item: number; status: string; accepted: boolean; requestedAt: Date | null }[]>`
    select item, status, original_key is not null as accepted, confirm_requested_at as "requestedAt"
    from media_files where submission_id = ${id} order by item`;
  const [row] = await ground.db<{ status: string; submittedAt: Date | null }[]>`
    select status, submitted_at as "submittedAt" from submissions where id = ${id}`;
  return { files, accepted: files.filter(({ accepted }) => accepted).length, ...row! };
}

async function restart(): Promise<void> {
  service = await ground.start(Number(new URL(url).port));
}

const answered = (send: () => ReturnType<typeof confirm>) =>
  until('the result', async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });

describe('the confirmation of a set after a crash', () => {
  const points: { point: CrashPoint; passes: number; accepted: (count: number) => boolean }[] = [
    { point: 'before reading', passes: 1, accepted: (count) => count === 0 },
    { point: 'before keeping', passes: 1, accepted: (count) => count === 0 },
    { point: 'after keeping', passes: 2, accepted: (count) => count < ITEMS.length },
    // Four items are under way at once, so at least one result was recorded before the fifth.
    { point: 'after keeping', passes: 5, accepted: (count) => count >= 1 && count < ITEMS.length },
    { point: 'before the answer', passes: 1, accepted: (count) => count === ITEMS.length },
  ];
  for (const { point, passes, accepted } of points)
    it(`enters all items once if the crash was ${point}, pass ${passes}`, async () => {
      const { id, send } = await upload();
      await service.crashAt(point, passes);
      await untilKilled(service, send);
      const killed = await stateOf(id);
      assert.ok(accepted(killed.accepted), `${killed.accepted} items were recorded`);
      const isEntered = point === 'before the answer';
      assert.equal(killed.status, isEntered ? 'submitted' : 'pending');
      const kept = await ground.db<{ key: string }[]>`
        select original_key as key from media_files where submission_id = ${id} and original_key is not null`;
      await restart();
      const again = await answered(() => send({ items: ITEMS.length }));
      assert.equal(again.status, isEntered ? 404 : 200, JSON.stringify(again.body));
      if (!isEntered) assert.deepEqual(again.body.data.items, ITEMS);
      const after = await stateOf(id);
      assert.deepEqual(after.submittedAt, killed.files[0]?.requestedAt, 'the time of the first request counts');
      assert.ok(after.files.every(({ status }) => status === 'completed'));
      const keys = await ground.db<{ key: string }[]>`
        select original_key as key from media_files where submission_id = ${id}`;
      for (const { key } of kept)
        assert.ok(
          keys.some((each) => each.key === key),
          'a recorded item stays as it is',
        );
    });

  it('is refused once if one item of a full set is refused', async () => {
    const { id, send } = await upload({ refused: 5 });
    await service.crashAt('after keeping', 3);
    await untilKilled(service, () => send({ items: 5 }));
    await restart();
    const answer = await answered(() => send({ items: 5 }));
    assert.deepEqual([answer.status, answer.body.error?.code], [409, 'CONFIRMATION_INCOMPLETE']);
    const { files, status } = await stateOf(id);
    assert.equal(status, 'pending');
    assert.deepEqual(
      files.map(({ status: file, accepted, requestedAt }) => [file, accepted, requestedAt !== null]),
      [...Array.from({ length: 4 }, () => ['pending', false, false]), ['refused', false, true]],
    );
    const entered = await answered(() => send());
    assert.deepEqual(entered.body.data?.items, [1, 2, 3, 4]);
  });

  it('goes on although its agent never comes back and the deadline passes', async () => {
    const { id, send } = await upload({ refused: 2 });
    await service.crashAt('after keeping', 3);
    await untilKilled(service, () => send());
    const over = new Date(Date.now() - 40_000);
    await ground.db`update media_files set confirm_requested_at = ${over} where submission_id = ${id} and confirm_requested_at is not null`;
    await ground.db`update projects set auto_select_deadline = ${over}, due_at = ${over} where id = ${project.id}`;
    await restart();
    await until('the end of the project', async () => {
      const [row] = await ground.db<{ status: string }[]>`select status from projects where id = ${project.id}`;
      return row?.status === 'judging';
    });
    const { files, status } = await stateOf(id);
    assert.equal(status, 'submitted');
    assert.deepEqual(
      files.map((file) => file.status),
      ['completed', 'refused', 'completed', 'completed', 'completed'],
    );
  });
});
