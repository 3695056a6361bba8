import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
import {
  brief,
  confirm,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { assertPending } from '../support/money/payment-answers.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Concurrent requests on two processes of the service with one database.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const COPIES = 200;

const MANY = '1000000';
const ground = await prepareWorld({
  env: {
    LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY,
    LIMIT_PAYMENTS_PER_HOUR: MANY,
    LIMIT_FAILED_PAYMENTS_PER_HOUR: MANY,
    LIMIT_AGENT_READS_PER_MINUTE: MANY,
  },
});
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
/** Alternates between the two processes. */
const urlOf = (index: number) => urls[index % urls.length]!;
const picture = await testPicture();

const market = { url, mintUsdc: ground.mintUsdc };
const project = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });

type Entry = { id: string; agentKey: string; projectId: string };

async function enter(projectId: string, agentKey?: string): Promise<Entry> {
  const key = agentKey ?? (await registerAgent(url)).key;
  const { id } = await createIntent(url, key, projectId);
  return { id, agentKey: key, projectId };
}

async function fundedPayer() {
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  return payer;
}

function ask(entry: Entry, headers: Record<string, string> = {}, at = url): Promise<Answer> {
  const { agentKey: key, projectId, id: submissionId } = entry;
  return requestUpload(at, { key, projectId, submissionId, sizeBytes: picture.length, headers });
}

async function paymentsOf(entries: Entry[]) {
  const rows = await ground.db<{ subject: string; state: string; late: boolean }[]>`
    select subject_id as subject, state, late from payments where subject_id = any(${entries.map(({ id }) => id)})`;
  return rows.map((row) => ({ ...row }));
}

async function pendingFilesOf(entries: Entry[]): Promise<string[]> {
  const rows = await ground.db<{ subject: string }[]>`
    select submission_id as subject from media_files
    where status = 'pending' and submission_id = any(${entries.map(({ id }) => id)})`;
  return rows.map(({ subject }) => subject);
}

async function assertBooksAreTheChain(): Promise<void> {
  const books = await ledger({ url, operatorKey: ground.operatorKey });
  assert.deepEqual([books.problems, books.balanced, books.chain_matches, books.unknown_payments], [[], true, true, 0]);
}

/** Asserts that a paid agent can continue: a new upload URL takes the picture, and the confirmation succeeds. */
async function assertUsable(entry: Entry): Promise<void> {
  const granted = expectStatus(await ask(entry), 200);
  assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
  expectStatus(await confirm(urlOf(1), entry.agentKey, entry.projectId, entry.id), 200);
}

function assertNothingWentWrong(): void {
  for (const { running } of services) assert.equal(running.output(), '', 'nothing was logged as an error');
}

/** Counts each status with its code, such as `{ '200': 3, '402 PAYMENT_FAILED': 1 }`. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    assert.equal(body.success, status < 300, 'in the envelope');
    const kind = body.success ? `${status}` : `${status} ${body.error.code}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/**
 * Whether a slow machine could not check the payment in time. The service then charges nothing and asks for a retry.
 */
function isNotChecked({ status, headers, body }: Answer): boolean {
  return status === 503 && /Nothing was charged/.test(body.error.message) && headers.has('retry-after');
}

describe('one signed payment', () => {
  it(`pays for one submission if sent ${COPIES} times at once over two processes, also for other submissions`, async () => {
    const [first, sameProject, dearer] = [
      await enter(project.id),
      await enter(project.id),
      await openProject(market, { entryFeeUsdc: 0.3 }),
    ];
    const otherProject = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 });
    const foreign = [sameProject, await enter(otherProject.id, first.agentKey), await enter(dearer.id, first.agentKey)];
    const isOfProject = (entry: Entry) => entry === first || entry === sameProject;
    const payer = await fundedPayer();
    const headers = await signPayment(payer, expectStatus(await ask(first), 402));

    const sent = Array.from({ length: COPIES }, (_, index) => {
      const asked = [first, ...(index % 10 === 5 ? foreign : [])];
      return asked.map(async (entry) => ({ entry, answer: await ask(entry, headers, urlOf(index)) }));
    });
    const told = await Promise.all(sent.flat());

    const entries = [first, ...foreign];
    const rows = await paymentsOf(entries);
    assert.deepEqual(
      rows.map(({ state, late }) => ({ state, late })),
      [{ state: 'settled', late: false }],
      'one settlement',
    );
    const paid = entries.find(({ id }) => id === rows[0]?.subject)!;
    const answersOf = (wanted: (entry: Entry) => boolean) =>
      told.filter(({ entry }) => wanted(entry)).map(({ answer }) => answer);
    for (const answer of answersOf((entry) => entry === paid))
      if (answer.status !== 200 && !isNotChecked(answer)) assertPending(answer);
    const refusedOf = (wanted: (entry: Entry) => boolean) =>
      Object.keys(
        tally(answersOf((entry) => entry !== paid && wanted(entry)).filter((answer) => !isNotChecked(answer))),
      );
    assert.deepEqual(refusedOf(isOfProject), ['402 PAYMENT_FAILED']);
    // The payment carries the offer that it answers, and the offer names the terms of its project.
    for (const refusal of refusedOf((entry) => !isOfProject(entry)))
      assert.ok(['402 PAYMENT_FAILED', '409 TERMS_CHANGED'].includes(refusal), refusal);

    assert.equal(await ground.chain.balanceMicro(payer.address), FUNDS_MICRO - FEE_MICRO, 'one fee left the wallet');
    assert.deepEqual(await pendingFilesOf(entries), [paid.id], 'one grant');
    await assertUsable(paid);
    await assertBooksAreTheChain();
    assertNothingWentWrong();
  });
});

describe('one submission', () => {
  it('is paid for once if many wallets sign for it at once', async () => {
    const entry = await enter(project.id);
    const refusal = expectStatus(await ask(entry), 402);
    const payers = await Promise.all(Array.from({ length: 20 }, fundedPayer));
    const signed = await Promise.all(payers.map((payer) => signPayment(payer, refusal)));
    const answers = await Promise.all(signed.map((headers, index) => ask(entry, headers, urlOf(index))));
    for (const answer of answers) if (answer.status !== 200) assertPending(answer);
    assert.equal((await paymentsOf([entry])).length, 1);
    const balances = await Promise.all(payers.map(({ address }) => ground.chain.balanceMicro(address)));
    assert.equal(balances.filter((balance) => balance !== FUNDS_MICRO).length, 1, 'one wallet paid');
    assert.deepEqual(await pendingFilesOf([entry]), [entry.id], 'one grant');
    await assertUsable(entry);
    await assertBooksAreTheChain();
    assertNothingWentWrong();
  });

  it('is confirmed once by many concurrent confirmations', async () => {
    const entry = await enter(project.id);
    const headers = await signPayment(await fundedPayer(), expectStatus(await ask(entry), 402));
    const granted = expectStatus(await ask(entry, headers), 200);
    assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
    const countBefore = await submissionsOf(project.id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => confirm(urlOf(index), entry.agentKey, project.id, entry.id)),
    );
    // A request joins the inspection that is under way. One that comes later needs none.
    const { '200': confirmed = 0, '404 MEDIA_FILE_NOT_FOUND': later = 0 } = tally(answers);
    assert.ok(confirmed >= 1 && confirmed + later === 20, JSON.stringify(tally(answers)));
    assert.equal(await submissionsOf(project.id), countBefore + 1);
    assertNothingWentWrong();
  });
});

async function submissionsOf(projectId: string): Promise<number> {
  const [row] = await ground.db<
    { count: number }[]
  >`select total_submissions as count from projects where id = ${projectId}`;
  return row?.count ?? -1;
}

describe('a project', () => {
  it('opens once if many wallets sign for its prize at once', async () => {
    const { poster } = project;
    const drafted = await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() });
    const id = expectStatus(drafted, 201).body.data.project.id as string;
    const publish = (headers: Record<string, string> = {}, at = url) =>
      call(at, 'POST', `/posters/me/projects/${id}/publish`, { key: poster.key, headers });
    const refusal = expectStatus(await publish(), 402);
    const payers = await Promise.all(Array.from({ length: 10 }, fundedPayer));
    const signed = await Promise.all(payers.map((payer) => signPayment(payer, refusal)));
    const answers = await Promise.all(signed.map((headers, index) => publish(headers, urlOf(index))));
    for (const answer of answers) if (answer.status !== 200) assertPending(answer);
    const balances = await Promise.all(payers.map(({ address }) => ground.chain.balanceMicro(address)));
    assert.equal(balances.filter((balance) => balance !== FUNDS_MICRO).length, 1, 'one wallet paid');
    await assertBooksAreTheChain();
    assertNothingWentWrong();
  });
});

describe('intents', () => {
  const intent = (key: string, projectId: string, at: string) =>
    call(at, 'POST', `/agents/projects/${projectId}/intent`, { key, body: { title: 'All at once' } });

  it('all succeed for 50 concurrent agents on one project', async () => {
    const crowded = await openProject(market);
    const agents = await Promise.all(Array.from({ length: 50 }, () => registerAgent(url)));
    const answers = await Promise.all(agents.map(({ key }, index) => intent(key, crowded.id, urlOf(index))));
    assert.deepEqual(tally(answers), { '201': 50 });
    assert.equal(new Set(answers.map(({ body }) => body.data.submission.id)).size, 50);
    assertNothingWentWrong();
  });

  it('are one for concurrent requests of one agent on one project', async () => {
    const { key, id } = await registerAgent(url);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => intent(key, project.id, urlOf(index))));
    assert.deepEqual(tally(answers), { '201': 1, '409 INTENT_ALREADY_EXISTS': 49 });
    const rows = await ground.db`select 1 from submissions where agent_id = ${id}`;
    assert.equal(rows.length, 1);
    assertNothingWentWrong();
  });

  it('are five a day for concurrent requests of a starter', async () => {
    const projects = await Promise.all(Array.from({ length: 10 }, () => openProject(market)));
    const { key, id } = await registerAgent(url);
    const answers = await Promise.all(projects.map((open, index) => intent(key, open.id, urlOf(index))));
    assert.deepEqual(tally(answers), { '201': 5, '429 RATE_LIMIT_EXCEEDED': 5 });
    for (const { status, headers } of answers) {
      if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0);
    }
    const rows = await ground.db`select 1 from submissions where agent_id = ${id}`;
    assert.equal(rows.length, 5);
    assertNothingWentWrong();
  });
});
