import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import { createDecodeThread } from './decode-thread.ts';

const job = { bytes: new Uint8Array(8), format: 'png', width: 100, height: 100 };
type Decoded = { ok: true; width: number } | { ok: false };
const inspector = new URL('./inspect-image-worker.ts', import.meta.url);

/** Creates a worker script. `obedient` below fails as a hostile picture could make it fail; `width` selects how. */
const script = (body: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    ${body}
  `)}`,
  );
const obedient = script(`
  let decoded = 0;
  parentPort.on('message', ({ width }) => {
    if (width === 1) for (;;);
    if (width === 2) process.exit(1);
    if (width === 3) throw new Error('uncaught');
    if (width === 4) { const all = []; for (;;) all.push(new Array(1e6).fill({})); }
    parentPort.postMessage({ ok: true, width: ++decoded, height: 0, sha256: new Uint8Array(0), perceptualHash: 0n });
  });
  parentPort.postMessage('ready');
`);

test('reports a thread that hangs, exits, throws, or runs out of memory, and replaces it', async () => {
  const thread = createDecodeThread<typeof job, Decoded>(60_000, obedient);
  after(() => thread.close());
  const decodedBefore = async () => {
    const answer = await thread.decode(job);
    assert.ok(typeof answer === 'object' && answer.ok);
    return answer.width - 1;
  };
  assert.equal(await decodedBefore(), 0);
  assert.equal(await decodedBefore(), 1, 'the same thread serves on');
  for (const width of [2, 3, 4]) {
    assert.equal(await thread.decode({ ...job, width }), 'crash');
    assert.equal(await decodedBefore(), 0, 'a new thread');
  }
  const hasty = createDecodeThread<typeof job, Decoded>(50, obedient);
  after(() => hasty.close());
  assert.equal(await hasty.decode({ ...job, width: 1 }), 'timeout');
  assert.equal(await hasty.decode({ ...job, width: 1 }), 'timeout');
});

test('rejects when a thread does not start, and does not blame the picture', async () => {
  const thread = createDecodeThread<typeof job, Decoded>(30_000, script(`throw new Error('no decoder here');`));
  await assert.rejects(thread.decode(job), /no decoder here/);
  await assert.rejects(
    createDecodeThread<typeof job, Decoded>(1_000, script('process.exit(1);')).decode(job),
    /did not start/,
  );
});

test('a full queue refuses further pictures, and waiting ones are decoded in turn', async () => {
  const pool = createDecodePool<typeof job, Decoded>(inspector, { workers: 1, queue: 2, timeoutMs: 5_000 });
  const broken = () => pool.decode(job);
  const outcomes = await Promise.allSettled([broken(), broken(), broken(), broken()]);
  assert.deepEqual(
    outcomes.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).name)),
    [{ ok: false }, { ok: false }, { ok: false }, 'InspectorBusy'],
  );
  assert.deepEqual(await broken(), { ok: false });
  const last = Promise.allSettled([broken(), broken()]);
  await pool.close();
  for (const each of await last) assert.ok(each.status === 'fulfilled' || each.reason instanceof InspectorBusy);
  await assert.rejects(broken(), InspectorBusy);
});
