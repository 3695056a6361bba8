import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import type { Storage } from '../../../server/ports/storage.ts';
import { call } from '../clients/client.ts';
import { enter } from '../clients/contestants.ts';
import { addItems, type Originals, sha256 } from '../files/delivery.ts';
import { expectStatus, openProject } from '../clients/journey.ts';
import { openerOf } from '../files/zip-opener.ts';
import { type PreparedWorld, prepareWorld } from './service-processes.ts';

const MB = 1024 * 1024;
const FILE_BYTES = 20 * MB;
const MOST_MORE = 32 * MB;

export type Store = { env?: Record<string, string>; storageOf(ground: PreparedWorld, url: string): Promise<Storage> };

/** A client in a process of its own, which keeps what it gets in a file. */
const CLIENT = `
  const { createWriteStream } = require('node:fs');
  const { pipeline } = require('node:stream/promises');
  fetch(process.argv[1]).then(async (response) => {
    await pipeline(response.body, createWriteStream(process.argv[2]));
    console.log(response.status);
  });`;

/** Sends the first ZIP of a fresh process, and watches the memory of that process. */
export async function firstZip(name: string, { env = {}, storageOf }: Store): Promise<void> {
  // One process prepares the entry. A fresh one then sends its first ZIP.
  const ground = await prepareWorld({ env });
  const first = await ground.start();
  const market = { url: first.url, mintUsdc: ground.mintUsdc };
  const entry = await enter(market, await openProject(market, { entryFeeUsdc: 0 }));

  /** Adds 19 files of 20 MB. Returns their hashes, by item. */
  async function addLargeFiles(): Promise<string[]> {
    const storage = await storageOf(ground, market.url);
    const hashes: string[] = [];
    for (let item = 20; item >= 2; item--) {
      const bytes = randomBytes(FILE_BYTES);
      hashes.unshift(sha256(bytes).toString('hex'));
      const file = { name: 'large.png', type: 'image/png', bytes };
      await addItems({ db: ground.db, storage, newId: randomUUIDv7 }, entry.submissionId, [file]);
      await ground.db`update media_files set item = ${item} where submission_id = ${entry.submissionId} and item = 2`;
    }
    return hashes;
  }

  async function removeLargeFiles(): Promise<void> {
    const storage = await storageOf(ground, market.url);
    const rows = await ground.db<{ key: string }[]>`
      select original_key as key from media_files where submission_id = ${entry.submissionId}`;
    for (const { key } of rows) await storage.remove(key);
  }

  it(`the first ZIP of a process, of 20 files of 20 MB over ${name}, needs at most 32 MB more memory, and unzip opens it`, async (context) => {
    const hashes = await addLargeFiles();
    await first.running.kill('SIGTERM');
    const fresh = await ground.start(Number(new URL(first.url).port));
    const path = `/agents/me/submissions/${entry.submissionId}/files`;
    const answer = await call(fresh.url, 'GET', path, { key: entry.key });
    const { files, zip_url: target } = expectStatus(answer, 200).body.data as Originals;
    assert.deepEqual(
      files.slice(1).map((file) => file.sha256),
      hashes,
    );
    // The work of the start ends, so that its memory does not count.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const { pid = 0 } = fresh.running.child;
    const before = await residentBytes(pid);
    let most = before;
    const sampler = setInterval(() => void residentBytes(pid).then((now) => (most = Math.max(most, now))), 10);
    const zip = join(ground.folder, 'entry.zip');
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', CLIENT, target, zip]);
    clearInterval(sampler);
    await removeLargeFiles();
    assert.equal(stdout.trim(), '200');
    const more = (most - before) / MB;
    context.diagnostic(`${more.toFixed(1)} MB more than ${(before / MB).toFixed(0)} MB`);
    assert.ok(most - before <= MOST_MORE, `${more} MB more`);
    await assertOpens(zip, join(ground.folder, 'opened'), hashes);
  });
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function assertOpens(zip: string, into: string, hashes: string[]): Promise<void> {
  const opener = openerOf(zip) ?? assert.fail('this machine has neither unzip nor python3');
  opener.extract(into);
  const names = opener.list().slice(1);
  const opened: string[] = [];
  for (const name of names) opened.push(sha256(await readFile(join(into, name))).toString('hex'));
  assert.deepEqual(opened, hashes);
}
