import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, describe, it } from 'node:test';
import { type Answer, call, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import {
  brief,
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { assertBooks } from '../support/endings/ending.ts';
import { assertPending } from '../support/money/payment-answers.ts';
import { executeOutside } from '../support/money/strays.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Payments, places, and requests that must happen once come at the same moment to two processes with one database.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
    LIMIT_AGENT_PER_MINUTE: MANY,
    LIMIT_REGISTRATIONS_PER_HOUR: MANY,
  },
});
const { db, chain, operatorKey } = ground;
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
/** Alternates between the two processes. */
const urlOf = (index: number) => urls[index % urls.length]!;
const picture = await testPicture();
const market = { url, mintUsdc: ground.mintUsdc };
const poster = await registerPoster(url);
const project = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });

type Entry = { id: string; key: string; projectId: string };

async function enter(projectId = project.id): Promise<Entry> {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, projectId);
  return { id, key, projectId };
}

const enterAll = (count: number, projectId: string) =>
  Promise.all(Array.from({ length: count }, () => enter(projectId)));

async function fundedPayer(): Promise<Payer> {
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  return payer;
}

const ask = ({ id: submissionId, ...entry }: Entry, headers: Record<string, string> = {}, at = url): Promise<Answer> =>
  requestUpload(at, { ...entry, submissionId, sizeBytes: picture.length, headers });

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

/** Several wallets sign for the same thing, and all their payments come at once. One of them pays. */
async function assertOneWalletPays(pay: (at: string, headers?: Record<string, string>) => Promise<Answer>) {
  const refusal = expectStatus(await pay(url), 402);
  const payers = await Promise.all(Array.from({ length: 10 }, fundedPayer));
  const signed = await Promise.all(payers.map((payer) => signPayment(payer, refusal)));
  for (const answer of await atOnce(signed.length, (at, index) => pay(at, signed[index])))
    if (answer.status !== 200) assertPending(answer);
  assert.equal(await countPaid(payers), 1, 'one wallet paid');
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
      select subject_id as subject, state from payments where subject_id = any(${[entry.id, other.id]})`;
    assert.equal(rows.length, 1, 'one settlement');
    const checked = told.filter(({ answer }) => !isNotChecked(answer));
    for (const { asked, answer } of checked)
      if (asked.id !== rows[0]?.subject) assert.deepEqual(tally([answer]), { '402 PAYMENT_FAILED': 1 });
      else if (answer.status !== 200) assertPending(answer);
    assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO, 'one fee left the wallet');
  });
});

describe('one of many wallets', () => {
  it('pays for a submission', async () => {
    const { id } = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6, fields: { max_entries: 2 } });
    const entry = await enter(id);
    await assertOneWalletPays((at, headers) => ask(entry, headers, at));
    const files = await db`select 1 from media_files where status = 'pending' and submission_id = ${entry.id}`;
    assert.equal(files.length, 1, 'one grant');
    assert.deepEqual(await placesOf(id), { taken: 1, entries: 0 });
  });

  it('pays for a prize', async () => {
    const path = '/posters/me/projects';
    const { key } = poster;
    const { id } = expectStatus(await call(url, 'POST', path, { key, body: brief() }), 201).body.data.project;
    await assertOneWalletPays((at, headers = {}) => call(at, 'POST', `${path}/${id}/publish`, { key, headers }));
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
    for (const entry of entries) {
      const { data } = expectStatus(await ask(entry), 200).body;
      assert.equal(await putPicture(data.uploadUrl, picture), 200);
    }
    const answers = await atOnce(entries.length, (at, index) =>
      confirm(at, entries[index]!.key, id, entries[index]!.id),
    );
    assert.deepEqual(tally(answers), { '200': 3, '409 PROJECT_FULL': 5 });
    assert.deepEqual(await placesOf(id), { taken: 3, entries: 3 });
  });
});

describe('intents', () => {
  const intent = (key: string, projectId: string, at: string) =>
    call(at, 'POST', `/agents/projects/${projectId}/intent`, { key, body: { title: 'All at once' } });

  it('are one for concurrent requests of one agent on one project', async () => {
    const { key } = await registerAgent(url);
    const answers = await atOnce(20, (at) => intent(key, project.id, at));
    assert.deepEqual(tally(answers), { '201': 1, '409 INTENT_ALREADY_EXISTS': 19 });
  });

  it('are five a day for concurrent requests of a starter', async () => {
    const projects = await Promise.all(Array.from({ length: 8 }, () => openProject(market, { poster })));
    const { key } = await registerAgent(url);
    const answers = await atOnce(projects.length, (at, index) => intent(key, projects[index]!.id, at));
    assert.deepEqual(tally(answers), { '201': 5, '429 RATE_LIMIT_EXCEEDED': 3 });
  });
});

it('a request with an Idempotency-Key is performed once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await atOnce(20, (at) =>
    call(at, 'POST', '/posters/create', { body: { poster_name: 'Repeater' }, headers }),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.filter((answer) => answer.headers.get('idempotency-replayed') === null).length, 1);
  assert.equal(new Set(made.map((answer) => answer.body.data.apiKey as string)).size, 1);
  for (const { status } of answers) assert.ok(status === 201 || status === 409, String(status));
});

it('a stray goes back once', async () => {
  const payer = await fundedPayer();
  await executeOutside(ground.rpcUrl, payer, expectStatus(await ask(await enter()), 402));
  await ledger({ url, operatorKey });
  const { strays } = expectStatus(await call(url, 'GET', '/operator/strays', { key: operatorKey }), 200).body.data;
  const path = `/operator/strays/${strays[0].id}/return`;
  const body = { reason: 'A mistake' };
  const answers = await atOnce(10, (at) => call(at, 'POST', path, { key: operatorKey, body }));
  const payouts = answers.map((answer) => expectStatus(answer, 200).body.data.stray.payout.id as string);
  assert.equal(new Set(payouts).size, 1);
  await until('its booking', async () => {
    const [row] = await db`select 1 from payouts where kind = 'return' and state = 'settled'`;
    return row !== undefined;
  });
  await assertBooks({ url, operatorKey });
  assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO);
});
