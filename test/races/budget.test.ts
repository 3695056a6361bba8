import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Answer, call, newPayer } from '../support/clients/client.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// Payments of one agent race for the last of its budget on two processes with one database.

const MANY = '1000000';
const FEE_USDC = 0.25;
const ground = await prepareWorld({ env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY, LIMIT_PAYMENTS_PER_HOUR: MANY } });
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const market = { url, mintUsdc: ground.mintUsdc };

type Entry = { key: string; projectId: string; submissionId: string; sizeBytes: number };

async function entriesOf(key: string, count: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id: projectId } = await openProject(market, { entryFeeUsdc: FEE_USDC });
    const { id: submissionId } = await createIntent(url, key, projectId);
    entries.push({ key, projectId, submissionId, sizeBytes: 1000 });
  }
  return entries;
}

const outcomes = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? '200' : String(body.error.code))).toSorted();

it('takes as many fees as the budget of the day has room for, and charges nothing for the others', async () => {
  const { id, key } = await registerAgent(url);
  const entries = await entriesOf(key, 5);
  expectStatus(await call(url, 'PUT', '/agents/me/budget', { key, body: { per_day: 2 * FEE_USDC } }), 200);
  // One wallet for each payment, so that only the budget can be the reason for a refusal.
  const payers = entries.map(() => newPayer());
  for (const payer of payers) await ground.mintUsdc(payer.address, 1_000_000);
  const answers = await Promise.all(
    entries.map((entry, index) => requestUpload(urls[index % 2]!, { ...entry, fetch: payers[index]!.pay })),
  );
  const refused = Array.from({ length: 3 }, () => 'BUDGET_EXCEEDED');
  assert.deepEqual(outcomes(answers), ['200', '200', ...refused]);
  const [row] = await ground.db<{ spent: number; paid: number }[]>`
    select spent_micro as spent, (
      select sum(amount_micro) from payments p join submissions s on s.id = p.subject_id where s.agent_id = a.id
    )::bigint as paid
    from agents a where id = ${id}`;
  assert.deepEqual([row?.spent, row?.paid], [500_000, 500_000]);
  const [places] = await ground.db<{ taken: number }[]>`
    select sum(places_taken)::int as taken from projects where id = any(${entries.map(({ projectId }) => projectId)})`;
  assert.equal(places?.taken, 2);
});

it('counts one payment once if several requests bring it at the same time', async () => {
  const { id, key } = await registerAgent(url);
  const [entry] = await entriesOf(key, 1);
  assert.ok(entry);
  expectStatus(await call(url, 'PUT', '/agents/me/budget', { key, body: { per_day: FEE_USDC } }), 200);
  const payer = newPayer();
  await ground.mintUsdc(payer.address, 1_000_000);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => requestUpload(urls[index % 2]!, { ...entry, fetch: payer.pay })),
  );
  // Each request is a client of its own that signs for itself; at most one of the signatures is charged.
  assert.ok(outcomes(answers).includes('200'), outcomes(answers).join());
  const [row] = await ground.db<{ spent: number }[]>`select spent_micro as spent from agents where id = ${id}`;
  assert.equal(row?.spent, 250_000);
  expectStatus(await requestUpload(url, entry), 200);
});
