import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, newPayer, signPayment } from '../support/clients/client.ts';
import {
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
import { prepareWorld } from '../support/processes/service-processes.ts';

// Agents race for the last places of a project on two processes with one database.

const FUNDS_MICRO = 1_000_000;
const FEE_MICRO = 250_000;
const MANY = '1000000';
const ground = await prepareWorld({ env: { LIMIT_AGENT_OPERATIONS_PER_HOUR: MANY, LIMIT_PAYMENTS_PER_HOUR: MANY } });
const services = await Promise.all([ground.start(), ground.start()]);
const urls = services.map(({ url }) => url);
const url = urls[0]!;
const urlOf = (index: number) => urls[index % urls.length]!;
const market = { url, mintUsdc: ground.mintUsdc };
const picture = await testPicture();

type Entry = { key: string; projectId: string; submissionId: string };

async function enter(projectId: string): Promise<Entry> {
  const { key } = await registerAgent(url);
  const { id: submissionId } = await createIntent(url, key, projectId);
  return { key, projectId, submissionId };
}

const ask = (entry: Entry, headers: Record<string, string> = {}, at = url): Promise<Answer> =>
  requestUpload(at, { ...entry, sizeBytes: picture.length, headers });

async function placesOf(id: string): Promise<{ taken: number; entries: number }> {
  const [row] = await ground.db<{ taken: number; entries: number }[]>`
    select places_taken as taken, total_submissions as entries from projects where id = ${id}`;
  return { taken: row?.taken ?? -1, entries: row?.entries ?? -1 };
}

const codes = (answers: Answer[]) =>
  answers.map(({ status, body }) => (status === 200 ? '200' : String(body.error.code))).toSorted();

describe('the last places', () => {
  it('go to as many payers as there are places; the others are not charged', async () => {
    const { id } = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6, fields: { max_entries: 3 } });
    const entries = await Promise.all(Array.from({ length: 12 }, () => enter(id)));
    const payers = await Promise.all(
      entries.map(async () => {
        const payer = newPayer();
        await ground.mintUsdc(payer.address, FUNDS_MICRO);
        return payer;
      }),
    );
    const signed = await Promise.all(
      entries.map(async (entry, index) => signPayment(payers[index]!, expectStatus(await ask(entry), 402))),
    );
    const answers = await Promise.all(entries.map((entry, index) => ask(entry, signed[index], urlOf(index))));
    assert.deepEqual(codes(answers), [
      ...Array.from({ length: 3 }, () => '200'),
      ...Array.from({ length: 9 }, () => 'PROJECT_FULL'),
    ]);
    const balances = await Promise.all(payers.map(({ address }) => ground.chain.balanceMicro(address)));
    assert.equal(balances.filter((balance) => balance === FUNDS_MICRO).length, 9);
    assert.equal((await placesOf(id)).taken, 3);
    assert.deepEqual((await ledger({ url, operatorKey: ground.operatorKey })).problems, []);
  });

  it('go once to an entry for which several wallets pay', async () => {
    const { id } = await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6, fields: { max_entries: 2 } });
    const entry = await enter(id);
    const refusal = expectStatus(await ask(entry), 402);
    const signed = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const payer = newPayer();
        await ground.mintUsdc(payer.address, FUNDS_MICRO);
        return await signPayment(payer, refusal);
      }),
    );
    const answers = await Promise.all(signed.map((headers, index) => ask(entry, headers, urlOf(index))));
    assert.ok(
      codes(answers).every((code) => code === '200' || code === 'PAYMENT_PENDING'),
      codes(answers).join(),
    );
    assert.equal((await placesOf(id)).taken, 1);
  });

  it('of a free project go to as many confirmations', async () => {
    const { id } = await openProject(market, { entryFeeUsdc: 0, fields: { max_entries: 3 } });
    const entries = await Promise.all(Array.from({ length: 10 }, () => enter(id)));
    for (const entry of entries) {
      const { data } = expectStatus(await ask(entry), 200).body;
      assert.equal(await putPicture(data.uploadUrl, picture), 200);
    }
    const answers = await Promise.all(
      entries.map(({ key, submissionId }, index) => confirm(urlOf(index), key, id, submissionId)),
    );
    assert.deepEqual(codes(answers), [
      ...Array.from({ length: 3 }, () => '200'),
      ...Array.from({ length: 7 }, () => 'PROJECT_FULL'),
    ]);
    assert.deepEqual(await placesOf(id), { taken: 3, entries: 3 });
    const [waiting] =
      await ground.db`select 1 from media_files where status = 'pending' and confirm_requested_at is not null`;
    assert.equal(waiting, undefined, 'no request waits any more');
  });
});
