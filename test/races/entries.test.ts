import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Answer, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import {
  confirm,
  createIntent,
  expectStatus,
  openProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { codeIs } from '../support/clients/entries.ts';
import { assertPending } from '../support/money/payment-answers.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { NO_LIMITS } from '../support/worlds/shared-service.ts';

// Payments, confirmations, and sets come at the same moment to two processes with one database.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const ground = await prepareWorld({ env: NO_LIMITS });
const { db, chain } = ground;
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
/** Alternates between the two processes. */
const urlOf = (index: number) => urls[index % urls.length]!;
const picture = await testPicture();
const market = { url, mintUsdc: ground.mintUsdc };
const poster = await registerPoster(url);
const project = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });

type Entry = { key: string; projectId: string; submissionId: string };

async function enter(projectId = project.id): Promise<Entry> {
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, projectId);
  return { key, projectId, submissionId };
}

const enterAll = (count: number, projectId: string) =>
  Promise.all(Array.from({ length: count }, () => enter(projectId)));

async function fundedPayer(): Promise<Payer> {
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  return payer;
}

const ask = (entry: Entry, headers: Record<string, string> = {}, at = url, item?: number): Promise<Answer> =>
  requestUpload(at, { ...entry, sizeBytes: picture.length, headers, ...(item === undefined ? {} : { item }) });

async function upload(entry: Entry, items: (number | undefined)[] = [undefined]): Promise<void> {
  for (const item of items) {
    const { data } = expectStatus(await ask(entry, {}, urlOf(item ?? 0), item), 200).body;
    assert.equal(await putPicture(data.uploadUrl, picture), 200);
  }
}

const confirmAt = (at: string, { key, projectId, submissionId }: Entry) => confirm(at, key, projectId, submissionId);

/** Sends the same request many times at once, to the processes in turn. */
const atOnce = (count: number, send: (at: string, index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(urlOf(index), index)));

/** Counts each status with its code, such as `{ '200': 3, '402 PAYMENT_FAILED': 1 }`. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = body.success ? `${status}` : `${status} ${body.error.code}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Whether a slow machine could not check the payment in time. The service then charges nothing and asks for a retry. */
const isNotChecked = ({ status, headers, body }: Answer) =>
  status === 503 && /Nothing was charged/.test(body.error.message) && headers.has('retry-after');

async function countPaid(payers: Payer[]): Promise<number> {
  const balances = await Promise.all(payers.map(({ address }) => chain.balanceMicro(address)));
  return balances.filter((balance) => balance !== FUNDS_MICRO).length;
}

async function placesOf(id: string) {
  const [row] = await db<{ taken: number; entries: number }[]>`
    select places_taken as taken, total_submissions as entries from projects where id = ${id}`;
  return { ...row };
}

afterEach(() => {
  for (const { running } of services) assert.equal(running.output(), '', 'nothing was logged as an error');
});

describe('one payment', () => {
  it('pays for one submission, however often it comes, also for another one', async () => {
    const [entry, other] = [await enter(), await enter()];
    const payer = await fundedPayer();
    const headers = await signPayment(payer, expectStatus(await ask(entry), 402));
    const told = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const asked = index % 8 === 5 ? other : entry;
        return { asked, answer: await ask(asked, headers, urlOf(index)) };
      }),
    );
    const rows = await db<{ subject: string; state: string }[]>`
      select subject_id as subject, state from payments where subject_id = any(${[entry.submissionId, other.submissionId]})`;
    assert.equal(rows.length, 1, 'one settlement');
    const checked = told.filter(({ answer }) => !isNotChecked(answer));
    for (const { asked, answer } of checked)
      if (asked.submissionId !== rows[0]?.subject) assert.deepEqual(tally([answer]), { '402 PAYMENT_FAILED': 1 });
      else if (answer.status !== 200) assertPending(answer);
    assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO, 'one fee left the wallet');
  });
});

describe('the last places', () => {
  it('go to as many payers as there are places; the others are not charged', async () => {
    const { id } = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6, fields: { max_entries: 3 } });
    const entries = await enterAll(9, id);
    const payers = await Promise.all(entries.map(fundedPayer));
    const signed = await Promise.all(
      entries.map(async (entry, index) => signPayment(payers[index]!, expectStatus(await ask(entry), 402))),
    );
    const answers = await atOnce(entries.length, (at, index) => ask(entries[index]!, signed[index], at));
    assert.deepEqual(tally(answers), { '200': 3, '409 PROJECT_FULL': 6 });
    assert.equal(await countPaid(payers), 3);
    assert.deepEqual(await placesOf(id), { taken: 3, entries: 0 });
  });

  it('of a free project go to as many confirmations', async () => {
    const { id } = await openProject(market, { poster, entryFeeUsdc: 0, fields: { max_entries: 3 } });
    const entries = await enterAll(8, id);
    for (const entry of entries) await upload(entry);
    const answers = await atOnce(entries.length, (at, index) => confirmAt(at, entries[index]!));
    assert.deepEqual(tally(answers), { '200': 3, '409 PROJECT_FULL': 5 });
    assert.deepEqual(await placesOf(id), { taken: 3, entries: 3 });
  });
});

const ITEMS = [1, 2, 3, 4];
const openSet = (entryFeeUsdc: number) =>
  openProject(market, { poster, entryFeeUsdc, fields: { item_count: ITEMS.length } });

type File = { item: number; status: string; requestedAt: Date | null };

const filesOf = async ({ submissionId }: Entry) =>
  await db<File[]>`
    select item, status, confirm_requested_at as "requestedAt" from media_files
    where submission_id = ${submissionId} order by item, created_at`;

describe('a set', async () => {
  const { id: free } = await openSet(0);

  it('is entered once, however many confirmations ask for it, and each answer names the same items', async () => {
    const entry = await enter(free);
    await upload(entry, ITEMS);
    const answers = await atOnce(8, (at) => confirmAt(at, entry));
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
    const entry = await enter((await openSet(FEE_MICRO / 1e6)).id);
    const payer = await fundedPayer();
    const headers = await signPayment(payer, expectStatus(await ask(entry), 402));
    const answers = await Promise.all(ITEMS.map((item) => ask(entry, headers, urlOf(item), item)));
    for (const answer of answers) expectStatus(answer, 200);
    assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO);
    assert.deepEqual(
      (await filesOf(entry)).map(({ item, status }) => `${item} ${status}`),
      ITEMS.map((item) => `${item} pending`),
    );
  });

  it('is entered with the items that were there, whatever URLs are asked for meanwhile', async () => {
    for (let round = 0; round < 2; round += 1) {
      const entry = await enter(free);
      await upload(entry, [1, 2]);
      const [confirmed, ...requested] = await Promise.all([
        confirmAt(urlOf(round), entry),
        ...[3, 4, 1].map((item) => ask(entry, {}, urlOf(round + item), item)),
      ]);
      // Both items were uploaded before the request.
      assert.deepEqual(expectStatus(confirmed, 200).body.data.items, [1, 2]);
      for (const answer of requested) if (answer.status !== 200) codeIs(answer, 409, 'SUBMISSION_ALREADY_EXISTS');
      const files = await filesOf(entry);
      assert.ok(files.every(({ item, status }) => status === (item <= 2 ? 'completed' : 'superseded')));
    }
  });
});
