import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import { createImageInspector } from './inspect-image.ts';
import { draw, withPngChunk, withPngSize } from '../../test/support/test-pictures.ts';
import { createDecodePool, InspectorBusy } from './decode-pool.ts';
import { createDecodeProcess } from './decode-process.ts';
import { createPicturePool } from './decoders.ts';

const decoders = createPicturePool();
after(() => decoders.close());
const inspector = createImageInspector(decoders);
const inspect = (bytes: Buffer, contentType: string) => inspector(bytes, { contentType });

const png = await draw(1).png().toBuffer();
const jpeg = await draw(1).jpeg({ quality: 90 }).toBuffer();
const webp = await draw(1).webp().toBuffer();
const gif = await draw(1).gif().toBuffer();
const avif = await draw(1, 100, 100).avif({ effort: 0 }).toBuffer();
const expected = await inspect(png, 'image/png');

const bitsOf = (hash: bigint) => hash.toString(2).replaceAll('0', '').length;
const hammingDistance = (a: bigint, b: bigint) => bitsOf(BigInt.asUintN(64, a ^ b));

async function rejected(bytes: Buffer, contentType: string, reason: RegExp): Promise<void> {
  await assert.rejects(inspect(bytes, contentType), (error: Error) => {
    assert.equal(error.name, 'ImageRejected', String(error.stack));
    assert.match(error.message, reason);
    return true;
  });
}

const undecodable = /^the picture cannot be decoded: the file is damaged, cut short or not well-formed$/;

describe('an accepted picture', () => {
  test('has its size, type, SHA-256, and perceptual hash reported, in each of the three types', async () => {
    for (const [bytes, contentType] of [
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const) {
      const facts = await inspect(bytes, contentType);
      assert.deepEqual(
        { ...facts, perceptualHash: 0n },
        {
          width: 300,
          height: 200,
          contentType,
          sha256: createHash('sha256').update(bytes).digest(),
          perceptualHash: 0n,
        },
      );
      assert.ok(hammingDistance(facts.perceptualHash, expected.perceptualHash) <= 4);
    }
  });

  const variants: Record<string, [type: string, picture: Sharp]> = {
    'a CMYK JPEG': ['image/jpeg', draw(1).toColourspace('cmyk').jpeg()],
    'a 16-bit PNG': ['image/png', draw(1).toColourspace('rgb16').png()],
    'a palette PNG': ['image/png', draw(1).png({ palette: true })],
    'a PNG with alpha': ['image/png', draw(1).ensureAlpha(0.5).png()],
    'a lossless WebP': ['image/webp', draw(1).webp({ lossless: true })],
  };
  for (const [what, [contentType, picture]] of Object.entries(variants))
    test(`keeps its size and nearly its hash as ${what}`, async () => {
      const facts = await inspect(await picture.toBuffer(), contentType);
      assert.deepEqual([facts.width, facts.height], [300, 200]);
      assert.ok(hammingDistance(facts.perceptualHash, expected.perceptualHash) <= 6);
    });

  test('has size and hash with its EXIF orientation applied', async () => {
    const turned = await inspect(await draw(1).rotate(90).png().toBuffer(), 'image/png');
    for (const [type, bytes] of [
      ['image/jpeg', await draw(1).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
      ['image/png', await draw(1).withMetadata({ orientation: 6 }).png().toBuffer()],
      ['image/webp', await draw(1).withMetadata({ orientation: 6 }).webp().toBuffer()],
    ] as const) {
      const facts = await inspect(bytes, type);
      assert.deepEqual([facts.width, facts.height], [200, 300], type);
      assert.ok(hammingDistance(facts.perceptualHash, turned.perceptualHash) <= 6, type);
    }
  });

  test('has 100 to 2048 px on each side, and not one pixel less or more', async () => {
    for (const [width, height, fits] of [
      [100, 100, true],
      [2048, 100, true],
      [100, 2048, true],
      [99, 100, false],
      [100, 99, false],
      [2049, 100, false],
      [100, 2049, false],
    ] as const)
      // prettier-ignore
      for (const format of ['jpeg', 'png', 'webp'] as const) {
        const bytes = await draw(1, width, height).toFormat(format).toBuffer();
        if (fits) assert.equal((await inspect(bytes, `image/${format}`)).width, width);
        else await rejected(bytes, `image/${format}`, new RegExp(`has ${width} × ${height} px; both sides must have 100 to 2048 px`));
      }
  });
});

describe('a rejected file', () => {
  test('has another type than declared', async () => {
    await rejected(png, 'image/jpeg', /^the file is image\/png, declared was image\/jpeg$/);
    await rejected(jpeg, 'image/webp', /^the file is image\/jpeg, declared was image\/webp$/);
    await rejected(webp, 'text/html', /^the file is image\/webp, declared was text\/html$/);
  });

  const strangers: Record<string, [Buffer, RegExp]> = {
    'a GIF': [gif, /a GIF picture/],
    'an AVIF': [avif, /a HEIC, AVIF or MP4 file/],
    'an SVG': [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /an SVG, XML or HTML text/],
    'an SVG after a blank and a BOM': [Buffer.from('\ufeff\n<?xml version="1.0"?><svg/>'), /an SVG, XML or HTML text/],
    'a PDF': [Buffer.from('%PDF-1.7\n'), /a PDF document/],
    'a ZIP': [Buffer.from('PK\x03\x04'), /a ZIP archive/],
    text: [Buffer.from('no picture at all'), /no picture/],
    nothing: [Buffer.alloc(0), /the file is empty/],
    '20 MB of zeros': [Buffer.alloc(20 * 1024 * 1024), /no picture/],
    'a GIF with a PNG behind it': [Buffer.concat([Buffer.from('GIF89a'), png]), /a GIF picture/],
    'a PNG behind a blank': [Buffer.concat([Buffer.from(' '), png]), /no picture/],
  };
  for (const [what, [bytes, reason]] of Object.entries(strangers))
    test(`is ${what}`, async () => {
      for (const type of ['image/png', 'image/jpeg', 'image/webp']) await rejected(bytes, type, reason);
    });

  test('is an animation, in WebP or PNG', async () => {
    const frames = await draw(1, 300, 400).raw().toBuffer();
    const animated = sharp(frames, { raw: { width: 300, height: 400, channels: 3, pageHeight: 200 } }).webp();
    await rejected(await animated.toBuffer(), 'image/webp', /animated; one still picture is accepted/);
    const twoFrames = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
    await rejected(withPngChunk(png, 'acTL', twoFrames), 'image/png', /animated; one still picture is accepted/);
  });

  test('is cut short at any place', async () => {
    for (const [bytes, type] of [
      [png.subarray(0, -12), 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const)
      for (const share of [0.001, 0.1, 0.5, 0.999])
        await rejected(bytes.subarray(0, Math.floor(bytes.length * share)), type, /damaged|no picture/);
    await rejected(jpeg.subarray(0, -2), 'image/jpeg', undecodable);
  });

  test('has a header with a larger or smaller size than its data', async () => {
    await rejected(withPngSize(png, 30_000, 30_000), 'image/png', /has 30000 × 30000 px/);
    await rejected(withPngSize(png, 0xffffffff, 1), 'image/png', /px; both sides/);
    for (const [width, height] of [
      [2048, 2048],
      [100, 100],
      [301, 200],
    ] as const)
      await rejected(withPngSize(png, width, height), 'image/png', undecodable);
    const tall = Buffer.from(jpeg);
    const frame = tall.indexOf(Buffer.from([0xff, 0xc0]));
    tall.writeUInt16BE(2000, frame + 5);
    // A JPEG whose data ends early, but properly, is gray from there on, as in every browser.
    assert.equal((await inspect(tall, 'image/jpeg')).height, 2000);
    tall.writeUInt16BE(65_535, frame + 5);
    await rejected(tall, 'image/jpeg', /has 300 × 65535 px/);
  });

  test('takes too much CPU time or memory to decode', async () => {
    const own = createPicturePool({ workers: 1 });
    const hasty = createImageInspector(own, { cpuMs: 1 });
    const large = await sharp({
      create: { width: 2048, height: 2048, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    } as SharpOptions)
      .png({ compressionLevel: 1 })
      .toBuffer();
    const late = { name: 'ImageRejected', message: /took more than 0.001 s of CPU to decode/ };
    for (let round = 0; round < 2; round++) await assert.rejects(hasty(large, { contentType: 'image/png' }), late);
    await own.close();
    await assert.rejects(hasty(png, { contentType: 'image/png' }), { name: 'InspectorBusy' });
  });
});

describe('a decoder process', async () => {
  const job = { bytes: new Uint8Array(8), cpuMs: 60_000, format: 'png', width: 100, height: 100 };
  type Decoded = { ok: true; width: number } | { ok: false };
  const inspectWorker = new URL('./picture-worker.ts', import.meta.url);
  const limits = { memoryMb: 1_000, niceness: 0 };

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
  import { mkdirSync } from 'node:fs';
  import { promisify } from 'node:util';
  import { answerJobs, openPicture } from '${new URL('./decode-worker.ts', import.meta.url).href}';
  let decoded = 0;
  answerJobs((message) => message, async ({ bytes, width }) => {
    if (width === 1) await new Promise(() => {});
    if (width === 2) process.exit(1);
    if (width === 3) setImmediate(() => { throw new Error('uncaught'); }), await new Promise(() => {});
    if (width === 4) await promisify(pbkdf2)('a', 'b', 1e9, 64, 'sha512');
    if (width === 5) { const all = []; for (;;) { all.push(randomBytes(10_000_000)); await new Promise(setImmediate); } }
    if (width === 6) await openPicture(bytes).metadata();
    if (width === 8) try { mkdirSync('${folder}/killed'); process.kill(process.pid, 'SIGKILL'); } catch {}
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
    const ofCpu = decoderWith({});
    assert.equal(await decodedBefore(ofCpu), 0);
    assert.equal(await decodedBefore(ofCpu), 1, 'the same process serves on');
    for (const [decoder, width, outcome] of [
      [ofCpu, 2, 'crash'],
      [ofCpu, 3, 'crash'],
      [ofCpu, 4, 'cpu'],
      [decoderWith({ memoryMb: 100 }), 5, 'memory'],
    ] as const) {
      assert.equal(await decoder.decode({ ...job, width, cpuMs: outcome === 'cpu' ? 300 : 60_000 }), outcome);
      assert.equal(await decodedBefore(decoder), 0, 'a new process');
    }
    const hasty = createDecodeProcess<typeof job, Decoded>(limits, obedient, 50);
    const pool = createDecodePool<typeof job, Decoded>(obedient, { ...limits, workers: 1, queue: 0 });
    after(() => Promise.all([hasty.close(), pool.close()]));
    assert.equal(await hasty.decode({ ...job, width: 1 }), 'stalled');
    assert.equal(await hasty.decode({ ...job, width: 1 }), 'stalled');
    assert.equal(typeof (await pool.decode({ ...job, width: 8 })), 'object', 'its process was killed once');
    assert.equal(await pool.decode({ ...job, width: 2 }), 'crash');
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
    const pool = createDecodePool<typeof job, Decoded>(inspectWorker, { ...limits, workers: 1, queue: 2 });
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
});
