import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  type Registered,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Two processes with one database: agents upload and confirm sets, and a change in one process takes effect in the other.

const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
    LIMIT_AGENT_PER_MINUTE: MANY,
  },
});
const services = await Promise.all([ground.start(), ground.start()]);
const [here, there] = services;
const { operatorKey } = ground;
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const urlOf = (index: number) => urls[index % urls.length]!;
const market = { url, mintUsdc: ground.mintUsdc };
const picture = await testPicture();
const sizeBytes = picture.length;
const ITEMS = [1, 2, 3, 4];
const free = await openProject(market, { entryFeeUsdc: 0, fields: { item_count: ITEMS.length } });

type Entry = { key: string; projectId: string; submissionId: string };

async function enter(projectId = free.id): Promise<Entry> {
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, projectId);
  return { key, projectId, submissionId };
}

async function upload(entry: Entry, items: number[]): Promise<void> {
  for (const item of items) {
    const granted = expectStatus(await requestUpload(urlOf(item), { ...entry, sizeBytes, item }), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  }
}

const confirmAt = (index: number, { key, projectId, submissionId }: Entry, body?: object) =>
  confirm(urlOf(index), key, projectId, submissionId, body);

type File = { item: number; status: string; requestedAt: Date | null };

async function filesOf({ submissionId }: Entry): Promise<File[]> {
  return await ground.db<File[]>`
    select item, status, confirm_requested_at as "requestedAt" from media_files
    where submission_id = ${submissionId} order by item, created_at`;
}

async function isEntered({ submissionId }: Entry): Promise<boolean> {
  const rows = await ground.db`select 1 from submissions where id = ${submissionId} and status = 'submitted'`;
  return rows.length === 1;
}

describe('a set on two processes', () => {
  it('is entered once, however many confirmations ask for it, and each answer names the same items', async () => {
    const entry = await enter();
    await upload(entry, ITEMS);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => confirmAt(index, entry)));
    const entered = answers.filter(({ status }) => status === 200);
    assert.ok(entered.length > 0);
    for (const { body } of entered) assert.deepEqual(body.data.items, ITEMS);
    for (const answer of answers) if (answer.status !== 200) codeIs(answer, 404, 'MEDIA_FILE_NOT_FOUND', /already/);
    const files = await filesOf(entry);
    assert.deepEqual(
      files.map(({ status }) => status),
      ITEMS.map(() => 'completed'),
    );
    assert.equal(new Set(files.map(({ requestedAt }) => requestedAt?.getTime())).size, 1);
  });

  it('pays one fee, however many items ask for their URL at once', async () => {
    const paid = await openProject(market, { entryFeeUsdc: 0.25, fields: { item_count: ITEMS.length } });
    const entry = await enter(paid.id);
    const payer = newPayer();
    await ground.mintUsdc(payer.address, 1_000_000);
    const headers = await signPayment(payer, expectStatus(await requestUpload(url, { ...entry, sizeBytes }), 402));
    const answers = await Promise.all(
      ITEMS.map((item) => requestUpload(urlOf(item), { ...entry, sizeBytes, item, headers })),
    );
    for (const answer of answers) expectStatus(answer, 200);
    assert.equal(await ground.chain.balanceMicro(payer.address), 750_000);
    assert.deepEqual(
      (await filesOf(entry)).map(({ item, status }) => `${item} ${status}`),
      ITEMS.map((item) => `${item} pending`),
    );
  });

  it('has one pending file for an item, whichever of its URLs came first', async () => {
    const entry = await enter();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        requestUpload(urlOf(index), { ...entry, sizeBytes, item: 1 + (index % 3) }),
      ),
    );
    const pending = (await filesOf(entry)).filter(({ status }) => status === 'pending');
    assert.deepEqual(
      pending.map(({ item }) => item),
      [1, 2, 3],
    );
  });

  it('is entered with the items that were there, whatever URLs are asked for meanwhile', async () => {
    for (let round = 0; round < 2; round += 1) {
      const entry = await enter();
      await upload(entry, [1, 2]);
      const [confirmed, ...requested] = await Promise.all([
        confirmAt(round, entry),
        ...[3, 4, 1].map((item) => requestUpload(urlOf(round + item), { ...entry, sizeBytes, item })),
      ]);
      // Both items were uploaded before the request.
      assert.deepEqual(expectStatus(confirmed, 200).body.data.items, [1, 2]);
      for (const answer of requested) if (answer.status !== 200) codeIs(answer, 409, 'SUBMISSION_ALREADY_EXISTS');
      const files = await filesOf(entry);
      assert.ok(files.every(({ item, status }) => status === (item <= 2 ? 'completed' : 'superseded')));
    }
  });

  it('is entered whole or not at all if a number is given, while its last item arrives', async () => {
    for (let round = 0; round < 2; round += 1) {
      const entry = await enter();
      await upload(entry, [1, 2, 3]);
      const [answer] = await Promise.all([confirmAt(round, entry, { items: 4 }), upload(entry, [4]).catch(() => null)]);
      if (answer.status === 200) {
        assert.deepEqual(answer.body.data.items, ITEMS);
        continue;
      }
      codeIs(answer, 409, 'CONFIRMATION_INCOMPLETE');
      assert.equal(await isEntered(entry), false);
      const files = await filesOf(entry);
      assert.ok(files.every(({ status, requestedAt }) => status !== 'pending' || requestedAt === null));
      const missing = ITEMS.filter((item) => !files.some((file) => file.item === item && file.status === 'pending'));
      await upload(entry, missing);
      const last = files.find(({ item, status }) => item === 4 && status === 'pending');
      const again = await confirmAt(round + 1, entry, { items: last ? 3 : 4 });
      expectStatus(again, 200);
    }
  });
});

/** The other process gives the old answer before the change, soon the new one, and never the old one again. */
async function assertApplied(agent: Registered, change: () => Promise<Answer>, codes: [string, string]) {
  const ask = async () => {
    const { status, body } = await call(there.url, 'GET', '/agents/projects', { key: agent.key });
    return status < 400 ? 'ok' : String(body.error.code);
  };
  assert.equal(await ask(), codes[0]);
  expectStatus(await change(), 200);
  await until('the other process knows', async () => (await ask()) === codes[1]);
  for (let asked = 0; asked < 50; asked += 1) assert.equal(await ask(), codes[1]);
}

describe('another process applies at once, although it caches keys', () => {
  const setStatus = (id: string, status: string) =>
    call(here.url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body: { status, reason: 'A test' } });

  it('a suspension of an agent, and its end', async () => {
    const agent = await registerAgent(here.url);
    await assertApplied(agent, () => setStatus(agent.id, 'suspended'), ['ok', 'AGENT_SUSPENDED']);
    await assertApplied(agent, () => setStatus(agent.id, 'active'), ['AGENT_SUSPENDED', 'ok']);
  });

  it('a revoked key', async () => {
    const agent = await registerAgent(here.url);
    const id = agent.key.split('_')[2]!;
    const revoke = () => call(here.url, 'DELETE', `/agents/me/keys/${id}`, { key: agent.key });
    await assertApplied(agent, revoke, ['ok', 'INVALID_API_KEY']);
  });
});
