import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { MAX_FILE_BYTES } from '../../contract/projects/submissions.ts';
import { call } from '../support/clients/client.ts';
import {
  asPoster,
  choose,
  close,
  type Contestant,
  enter,
  FUNDS_MICRO,
  review,
} from '../support/clients/contestants.ts';
import { assertBooks, ownProject } from '../support/endings/ending.ts';
import { confirm, drawing, expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Agents enter sets of pictures. A set is one entry: one fee, one place, one score, and one prize.

const FEE_MICRO = 250_000;
const world = await startWorld();
const { url, service, errors } = world;
const { db, storage, chain } = service.deps;

/** Enters a project with pictures of these items. Returns the answer of the confirmation. */
async function enterSet(project: { id: string }, items: number[], seed: number) {
  const contestant = await enter(world, project, { until: 'paid' });
  const { key, submissionId } = contestant;
  const pictures = new Map<number, Buffer>();
  for (const item of items) {
    const bytes = await drawing(seed * 100 + item);
    const request = { key, projectId: project.id, submissionId, sizeBytes: bytes.length, item };
    const { data } = expectStatus(await requestUpload(url, request), 200).body;
    assert.equal(data.entry_fee_paid, FEE_MICRO);
    assert.equal(await putPicture(data.uploadUrl, bytes), 200);
    pictures.set(item, bytes);
  }
  const { data } = expectStatus(await confirm(url, key, project.id, submissionId, { items: items.length }), 200).body;
  assert.deepEqual(data.items, items);
  await assertKept(contestant, pictures);
  return contestant;
}

/** Asserts that the original of each item is kept byte for byte, with its hash. */
async function assertKept({ submissionId }: Contestant, pictures: Map<number, Buffer>): Promise<void> {
  const files = await db<{ item: number; key: string; sha256: Buffer }[]>`
    select item, original_key as key, sha256 from media_files
    where submission_id = ${submissionId} and status = 'completed' order by item`;
  assert.deepEqual(
    files.map(({ item }) => item),
    [...pictures.keys()],
  );
  for (const { item, key, sha256 } of files) {
    const kept = await storage.read(key, MAX_FILE_BYTES);
    assert.deepEqual(kept, pictures.get(item));
    assert.deepEqual(createHash('sha256').update(kept).digest(), sha256);
  }
}

async function historyOf({ key }: Contestant) {
  const { data } = expectStatus(await call(url, 'GET', '/agents/me/history?limit=100', { key }), 200).body;
  return data.submissions as Record<string, unknown>[];
}

for (const itemCount of [2, 20]) {
  describe(`a project that asks for ${itemCount} pictures`, () => {
    it('is won by one entry, which is paid once', async () => {
      const project = await openProject(world, {
        prizeUsdc: 20,
        entryFeeUsdc: FEE_MICRO / 1e6,
        fields: { item_count: itemCount, max_entries: 3 },
      });
      const all = Array.from({ length: itemCount }, (_, index) => index + 1);
      const whole = await enterSet(project, all, itemCount);
      const part = await enterSet(project, all.slice(1), itemCount + 1);
      // A client of the specification knows one file and sends no body.
      const plain = await enter(world, project, { seed: 9 });
      const own = await ownProject(world, project);
      assert.deepEqual([own['total_submissions'], own['places_left']], [3, 0]);

      const gallery = expectStatus(await asPoster(world, project, ['GET', '/submissions']), 200).body.data;
      assert.deepEqual(
        (gallery.submissions as { id: string; items: unknown[] }[]).map(({ id, items }) => [id, items.length]),
        [
          [whole.submissionId, itemCount],
          [part.submissionId, itemCount - 1],
          [plain.submissionId, 1],
        ],
      );
      expectStatus(await review(world, project, part, 3), 200);
      expectStatus(await close(world, project), 200);
      expectStatus(await choose(world, project, whole), 200);
      const receives = own['winner_receives_micro'] as number;
      await until('the prize', async () => {
        const balance = await chain.balanceMicro(whole.payer.address);
        return balance === FUNDS_MICRO - FEE_MICRO + receives;
      });
      for (const { payer } of [part, plain])
        assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO);
      for (const [contestant, status] of [
        [whole, 'won'],
        [part, 'lost'],
        [plain, 'lost'],
      ] as const) {
        const history = await historyOf(contestant);
        assert.deepEqual(
          history.map((entry) => entry['status']),
          [status],
        );
      }
      await until('completed', async () => (await ownProject(world, project))['status'] === 'completed');
      const profile = expectStatus(await call(url, 'GET', `/agents/${whole.id}/public`), 200).body.data;
      assert.equal(profile.recentWins.length, 1);
    });
  });
}

it('the books balance, and the service wrote no unexpected error', async () => {
  await assertBooks(world);
  assert.deepEqual(errors, []);
});
