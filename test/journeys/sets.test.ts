import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
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
import { ownProject } from '../support/endings/ending.ts';
import { confirm, drawing, expectStatus, openProject, putPicture, requestUpload } from '../support/clients/journey.ts';
import { download, type Originals } from '../support/files/delivery.ts';
import { chainAt } from '../support/money/chain-reads.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// Agents enter sets of pictures. A set is one entry: one fee, one place, one score, and one prize.

const FEE_MICRO = 250_000;
const ITEMS = 20;
const world = await sharedWorld();
const { url } = world;
const chain = chainAt(world.rpcUrl);

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
async function assertKept({ key, submissionId }: Contestant, pictures: Map<number, Buffer>): Promise<void> {
  const answer = expectStatus(await call(url, 'GET', `/agents/me/submissions/${submissionId}/files`, { key }), 200);
  const { files } = answer.body.data as Originals;
  assert.deepEqual(
    files.map(({ item }) => item),
    [...pictures.keys()],
  );
  for (const { item, sha256, url: target } of files) {
    const { bytes } = await download(target);
    assert.deepEqual(bytes, pictures.get(item));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  }
}

async function historyOf({ key }: Contestant) {
  const { data } = expectStatus(await call(url, 'GET', '/agents/me/history?limit=100', { key }), 200).body;
  return data.submissions as Record<string, unknown>[];
}

it('a project that asks for 20 pictures is won by one entry, which is paid once', async () => {
  const project = await openProject(world, {
    prizeUsdc: 20,
    entryFeeUsdc: FEE_MICRO / 1e6,
    fields: { item_count: ITEMS, max_entries: 3 },
  });
  const all = Array.from({ length: ITEMS }, (_, index) => index + 1);
  const whole = await enterSet(project, all, ITEMS);
  const part = await enterSet(project, all.slice(1), ITEMS + 1);
  // A client of the specification knows one file and sends no body.
  const plain = await enter(world, project, { seed: 9 });
  const own = await ownProject(world, project);
  assert.deepEqual([own['total_submissions'], own['places_left']], [3, 0]);

  const gallery = expectStatus(await asPoster(world, project, ['GET', '/submissions']), 200).body.data;
  assert.deepEqual(
    (gallery.submissions as { id: string; items: unknown[] }[]).map(({ id, items }) => [id, items.length]),
    [
      [whole.submissionId, ITEMS],
      [part.submissionId, ITEMS - 1],
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
  for (const { payer } of [part, plain]) assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO);
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
