import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Storage, StorageError } from '../../server/storage/types.ts';
import { call } from '../support/clients/client.ts';
import { addItems, download, type Originals } from '../support/files/delivery.ts';
import { confirmedEntries } from '../support/clients/gallery.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

/** Runs before each read of a part; it may throw, or change what is stored. */
let beforePart: (key: string, from: number) => Promise<void> = async () => {};

const faulty = (storage: Storage): Storage => ({
  ...storage,
  async readPart(key, part) {
    await beforePart(key, part.from);
    return await storage.readPart(key, part);
  },
});

const world = await startWorld({
  env: { LIMIT_AGENT_PER_MINUTE: '10000' },
  wrap: ({ storage }) => ({ storage: faulty(storage) }),
});
const { url, service, errors, operatorKey } = world;
const { deps } = service;
const { db, storage } = deps;

const { id } = await openProject(world, { entryFeeUsdc: 0 });
const [entry] = await confirmedEntries(world, id, 1);
assert.ok(entry);
// The last part is shorter than the text of any error, which must not complete a file.
const LAST_BYTES = 10;
const large = (seed: number) => Buffer.alloc(2 * 1024 * 1024 + LAST_BYTES, seed);
await addItems(deps, entry.submissionId, [
  { name: 'b.png', type: 'image/png', bytes: large(2) },
  { name: 'c.png', type: 'image/png', bytes: large(3) },
]);
const rows = await db<{ item: number; key: string }[]>`
  select item, original_key as key from media_files where submission_id = ${entry.submissionId} order by item`;
const keyOf = (item: number) => rows.find((row) => row.item === item)!.key;
const bytesOf = (item: number) => (item === 1 ? entry.bytes : large(item));

async function originals(): Promise<Originals> {
  const answer = await call(url, 'GET', `/agents/me/submissions/${entry!.submissionId}/files`, { key: entry!.key });
  return expectStatus(answer, 200).body.data as Originals;
}
const urlOf = async (item: number) => (await originals()).files[item - 1]!.url;
const zipUrl = async () => (await originals()).zip_url;

async function unavailable(): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorKey}` } });
  return Number(/^concours_original_downloads_total\{outcome="unavailable"\} (\d+)$/m.exec(await answer.text())?.[1]);
}

afterEach(async () => {
  beforePart = async () => {};
  for (const { item } of rows) await storage.write(keyOf(item), bytesOf(item), 'image/png');
  for (const { item } of rows) assert.ok((await download(await urlOf(item))).bytes.equals(bytesOf(item)));
  assert.deepEqual(errors.splice(0), []);
});

/** The operator gets an alert, and the client an error in place of the file. */
async function assertAlerted(target: string, problem: 'missing' | 'changed'): Promise<void> {
  const before = await unavailable();
  const { status, code, bytes, headers } = await download(target);
  assert.deepEqual(
    [status, code, headers.get('content-type')],
    [502, 'DELIVERY_UNAVAILABLE', 'application/json; charset=utf-8'],
  );
  assert.match(String(bytes), new RegExp(`The stored file is ${problem}`));
  const [alert, ...more] = errors.splice(0);
  assert.deepEqual(
    [alert!['alert'], alert!['problem'], alert!['submissionId'], more],
    ['original_unavailable', problem, entry!.submissionId, []],
  );
  assert.equal(await unavailable(), before + 1);
  // Once a day for each entry, beside the answer to the client.
  const subject = `submission:${entry!.submissionId}`;
  await until(
    'the alert',
    async () => (await toldEvents(db, 'ALERT', { alert: 'original_unavailable', subject })).length > 0,
  );
  const records = await db`
    select 1 from audit_trail where action = 'original.download' and subject = ${`submission:${entry!.submissionId}`}
      and details ->> 'grant' = ${new URL(target).pathname.split('/')[2]!}`;
  assert.equal(records.length, 0, 'nothing was delivered');
}

describe('an original whose stored object', () => {
  const damages: Record<string, [problem: 'missing' | 'changed', damage: () => Promise<unknown>]> = {
    'is missing': ['missing', () => storage.remove(keyOf(2))],
    'has other bytes of the same length': ['changed', () => storage.write(keyOf(2), large(9), 'image/png')],
    'is shorter': ['changed', () => storage.write(keyOf(2), large(2).subarray(1), 'image/png')],
  };
  for (const [name, [problem, damage]] of Object.entries(damages))
    it(`${name} is not delivered, alone or in a ZIP; nothing else is sent in its place`, async () => {
      const [single, zip] = [await urlOf(2), await zipUrl()];
      await damage();
      await assertAlerted(single, problem);
      await assertAlerted(zip, problem);
      // The other files are still there.
      assert.ok((await download(await urlOf(3))).bytes.equals(bytesOf(3)));
    });
});

describe('a storage that fails', () => {
  it('before the first byte is a STORAGE_ERROR', async () => {
    const targets = [await urlOf(2), await zipUrl()];
    beforePart = async () => {
      throw new StorageError('the store is gone');
    };
    for (const target of targets) {
      const { status, code } = await download(target);
      assert.deepEqual([status, code], [502, 'STORAGE_ERROR']);
    }
    assert.deepEqual(
      errors.splice(0).map(({ msg }) => msg),
      ['storage failure', 'storage failure'],
    );
  });

  // Every part is read twice: compared first, and compared again while it is sent.
  const second = (key: string, then: () => Promise<void>) => {
    let starts = 0;
    return async (read: string, from: number) => {
      if (read !== key) return;
      if (from === 0) starts += 1;
      if (starts === 2 && from > 0) await then();
    };
  };

  it('in the middle of a file breaks the connection off, and so does an object that changes meanwhile', async () => {
    beforePart = second(keyOf(2), async () => {
      throw new StorageError('the store is gone');
    });
    await assert.rejects(download(await urlOf(2)), /terminated/);
    assert.deepEqual(
      errors.splice(0).map(({ msg }) => msg),
      ['the storage failed during a download'],
    );
    beforePart = second(keyOf(2), () => storage.write(keyOf(2), large(9), 'image/png'));
    await assert.rejects(download(await urlOf(2)), /terminated/);
    assert.deepEqual(
      errors.splice(0).map(({ alert }) => alert),
      ['original_unavailable'],
    );
  });

  it('in the middle of a ZIP breaks the connection off: no client has a whole archive', async () => {
    beforePart = second(keyOf(3), () => Promise.reject(new StorageError('the store is gone')));
    await assert.rejects(download(await zipUrl()), /terminated/);
    assert.equal(errors.splice(0).length, 1);
  });
});
