import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { enter } from '../support/clients/contestants.ts';
import {
  assertBooks,
  confirm,
  expectStatus,
  openProject,
  putPicture,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import {
  assertFeesTakenTogether,
  assertFeeTakenOnce,
  FEE_MICRO,
  signedEntry,
} from '../support/money/crashed-payments.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { crashWorld } from '../support/processes/crash-world.ts';
import { until } from '../support/processes/processes.ts';

// More points than in test/crash/requests.test.ts at which SIGKILL ends the process of a request.

const world = await crashWorld();
const { db, url, market } = world;
const picture = await testPicture();
const poster = await registerPoster(url);

describe('an entry fee', () => {
  const points: { point: CrashPoint; claimed: boolean }[] = [
    { point: 'in the claim', claimed: false },
    { point: 'before settle', claimed: true },
    { point: 'after settle', claimed: true },
  ];
  for (const { point, claimed } of points)
    it(`is taken once if the crash was ${point}`, async () => {
      const { id } = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });
      await assertFeeTakenOnce(world, await signedEntry(world, id, picture.length), { point, claimed });
    });
});

describe('fees that share a transaction', () => {
  for (const fate of ['between two bookings', 'mined while the process is dead'] as const)
    it(`count once each: ${fate}`, async () => {
      const { id } = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });
      const entries = await Promise.all(Array.from({ length: 6 }, () => signedEntry(world, id, picture.length)));
      await assertFeesTakenTogether(world, fate, entries);
    });
});

it('a confirmation counts although its agent never comes back and the deadline passes', async () => {
  const project = await openProject(market, { entryFeeUsdc: 0 });
  const { key, submissionId } = await enter(market, project, { until: 'intent', wallet: 'none' });
  const request = { key, projectId: project.id, submissionId, sizeBytes: picture.length };
  const granted = expectStatus(await requestUpload(url, request), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  await world.crashAt('before reading');
  await world.untilKilled(() => confirm(url, key, project.id, submissionId));
  // The project is due, and the grace period over.
  const over = new Date(Date.now() - 40_000);
  await db`update media_files set confirm_requested_at = ${over} where submission_id = ${submissionId}`;
  // No look has seen the file, so it counts by its time.
  for (const file of globSync(join(world.folder, '**/objects/*'))) await utimes(file, over, over);
  await db`update projects set auto_select_deadline = ${over}, due_at = ${over} where id = ${project.id}`;
  await world.restart();
  const ended = await until('the end of the project', async () => {
    const [row] = await db<{ status: string; shown: number; counted: number }[]>`
      select status, total_submissions as shown,
        (select count(*)::int from submissions where project_id = projects.id and status = 'submitted') as counted
      from projects where id = ${project.id}`;
    return row?.status !== 'open' && row;
  });
  assert.deepEqual(ended, { status: 'judging', shown: 1, counted: 1 });
});

it('the books match the chain after all crashes', async () => {
  await assertBooks(world);
});
