import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { createDiskStorage } from '../../server/storage/disk.ts';
import { call } from '../support/clients/client.ts';
import { enter } from '../support/clients/contestants.ts';
import { addItems, type Originals } from '../support/clients/delivery.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

const MB = 1024 * 1024;
const FILE_BYTES = 20 * MB;
const MOST_MORE = 32 * MB;

// One process prepares the entry. A fresh one then sends its first ZIP.
const ground = await prepareWorld();
const first = await ground.start();
const market = { url: first.url, mintUsdc: ground.mintUsdc };
const entry = await enter(market, await openProject(market, { entryFeeUsdc: 0 }));

/** A client in a process of its own. Prints the length and the SHA-256 of the answer. */
const CLIENT = `
  const hash = require('node:crypto').createHash('sha256');
  let length = 0;
  fetch(process.argv[1]).then(async (response) => {
    for await (const chunk of response.body) { hash.update(chunk); length += chunk.length; }
    console.log(JSON.stringify({ status: response.status, length, sha256: hash.digest('hex') }));
  });`;

async function read(target: string) {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', CLIENT, target]);
  return JSON.parse(stdout) as { status: number; length: number; sha256: string };
}

/** Adds 19 files of 20 MB. Returns their hashes, by item. */
async function addLargeFiles(): Promise<string[]> {
  const storage = await createDiskStorage({
    folder: join(ground.folder, 'storage'),
    publicUrl: market.url,
    signingKey: ground.signingKey,
    clock: { now: () => new Date() },
  });
  const hashes: string[] = [];
  for (let item = 20; item >= 2; item--) {
    const bytes = randomBytes(FILE_BYTES);
    hashes.unshift(createHash('sha256').update(bytes).digest('hex'));
    const file = { name: 'large.png', type: 'image/png', bytes };
    await addItems({ db: ground.db, storage, newId: randomUUIDv7 }, entry.submissionId, [file]);
    await ground.db`update media_files set item = ${item} where submission_id = ${entry.submissionId} and item = 2`;
  }
  return hashes;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

it('the first ZIP of a process, of 20 files of 20 MB, needs at most 32 MB more memory', async (context) => {
  const hashes = await addLargeFiles();
  await first.running.kill('SIGTERM');
  const fresh = await ground.start(Number(new URL(first.url).port));
  const path = `/agents/me/submissions/${entry.submissionId}/files`;
  const answer = await call(fresh.url, 'GET', path, { key: entry.key });
  const { files, zip_url: target } = expectStatus(answer, 200).body.data as Originals;
  assert.deepEqual(
    files.slice(1).map(({ sha256 }) => sha256),
    hashes,
  );
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const { pid = 0 } = fresh.running.child;
  const before = await residentBytes(pid);
  let most = before;
  const sampler = setInterval(() => void residentBytes(pid).then((now) => (most = Math.max(most, now))), 10);
  const zip = await read(target);
  clearInterval(sampler);
  assert.equal(zip.status, 200);
  assert.ok(zip.length > 19 * FILE_BYTES);
  const more = (most - before) / MB;
  context.diagnostic(`${more.toFixed(1)} MB more than ${(before / MB).toFixed(0)} MB`);
  assert.ok(most - before <= MOST_MORE, `${more} MB more`);
});
