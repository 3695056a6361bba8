import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { draw } from '../../test/support/test-pictures.ts';
import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import { createDecodeProcess } from './decode-process.ts';

const job = { bytes: new Uint8Array(8), format: 'png', width: 100, height: 100 };
type Decoded = { ok: true; width: number } | { ok: false };
const inspector = new URL('./inspect-image-worker.ts', import.meta.url);
const limits = { cpuMs: 60_000, memoryMb: 1_000, niceness: 0 };

const folder = await mkdtemp(join(tmpdir(), 'concours-decoders-'));
after(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, body: string): Promise<URL> {
  const path = join(folder, `${name}.mjs`);
  await writeFile(path, body);
  return pathToFileURL(path);
}

/** Uses the common part of all scripts; `width` selects what a hostile picture makes it do. */
const obedient = await script(
  'obedient',
  `
  import { pbkdf2, randomBytes } from 'node:crypto';
  import { readdirSync, readFileSync } from 'node:fs';
  import { promisify } from 'node:util';
  import { answerJobs, openPicture } from '${new URL('./decode-worker.ts', import.meta.url).href}';
  let decoded = 0;
  /** How nice each thread of this process is; those that start now are new. */
  async function threads() {
    await promisify(pbkdf2)('a', 'b', 1, 64, 'sha512');
    return readdirSync('/proc/self/task').map((thread) => {
      const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'latin1');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
    });
  }
  answerJobs((message) => message, async ({ bytes, width }) => {
    if (width === 1) await new Promise(() => {});
    if (width === 2) process.exit(1);
    if (width === 3) setImmediate(() => { throw new Error('uncaught'); }), await new Promise(() => {});
    if (width === 4) await promisify(pbkdf2)('a', 'b', 1e9, 64, 'sha512');
    if (width === 5) { const all = []; for (;;) { all.push(randomBytes(10_000_000)); await new Promise(setImmediate); } }
    if (width === 6) await openPicture(bytes).metadata();
    if (width === 7) return { ok: true, width, niceness: await threads() };
    return { ok: true, width: ++decoded, env: Object.keys(process.env) };
  });
`,
);

test('reports a process that exits, throws, or exceeds a limit, and replaces it', async () => {
  // Filling the memory needs CPU time, too, and more of it on a slow machine. So each limit has a decoder of its own.
  const decoderWith = (limit: Partial<typeof limits>) => {
    const decoder = createDecodeProcess<typeof job, Decoded>({ ...limits, ...limit }, obedient, 60_000);
    after(() => decoder.close());
    return decoder;
  };
  type Decoder = ReturnType<typeof decoderWith>;
  const decodedBefore = async (decoder: Decoder) => {
    const answer = await decoder.decode(job);
    assert.ok(typeof answer === 'object' && answer.ok);
    return answer.width - 1;
  };
  const ofCpu = decoderWith({ cpuMs: 300 });
  assert.equal(await decodedBefore(ofCpu), 0);
  assert.equal(await decodedBefore(ofCpu), 1, 'the same process serves on');
  for (const [decoder, width, outcome] of [
    [ofCpu, 2, 'crash'],
    [ofCpu, 3, 'crash'],
    [ofCpu, 4, 'cpu'],
    [decoderWith({ memoryMb: 100 }), 5, 'memory'],
  ] as const) {
    assert.equal(await decoder.decode({ ...job, width }), outcome);
    assert.equal(await decodedBefore(decoder), 0, 'a new process');
  }
  const hasty = createDecodeProcess<typeof job, Decoded>(limits, obedient, 50);
  after(() => hasty.close());
  assert.equal(await hasty.decode({ ...job, width: 1 }), 'stalled');
  assert.equal(await hasty.decode({ ...job, width: 1 }), 'stalled');
});

test('a decoder has no variable of the service, and only the loaders of the three accepted types', async () => {
  const decoder = createDecodeProcess<typeof job, Decoded & { env: string[] }>(limits, obedient);
  after(() => decoder.close());
  const answer = await decoder.decode(job);
  assert.ok(typeof answer === 'object' && answer.ok);
  assert.deepEqual(
    // sharp sets the second one itself.
    answer.env.filter((name) => !name.startsWith('NODE_CHANNEL')),
    ['MALLOC_ARENA_MAX', 'VIPSHOME'],
  );
  const opened = async (bytes: Buffer) => decoder.decode({ ...job, bytes: new Uint8Array(bytes), width: 6 });
  for (const format of ['gif', 'tiff'] as const)
    assert.deepEqual(await opened(await draw(1).toFormat(format).toBuffer()), { ok: false }, format);
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const known = await opened(await draw(1).toFormat(format).toBuffer());
    assert.ok(typeof known === 'object' && known.ok, format);
  }
});

test('a full queue refuses further pictures, and waiting ones are decoded in turn', async () => {
  const pool = createDecodePool<typeof job, Decoded>(inspector, { ...limits, workers: 1, queue: 2 });
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
