import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
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

// An agent deletes its intent on one process while it pays, uploads, or confirms on the other.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const ROUNDS = 24;

const ground = await prepareWorld();
const services = await Promise.all([ground.start(), ground.start()]);
const [url, other] = services.map((service) => service.url) as [string, string];
const picture = await testPicture();
const market = { url, mintUsdc: ground.mintUsdc };
const [project, free] = [
  await openProject(market, { entryFeeUsdc: FEE_MICRO / 1e6 }),
  await openProject(market, { entryFeeUsdc: 0 }),
];

type Entry = { id: string; key: string; projectId: string };

async function enter(projectId: string): Promise<Entry> {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, projectId);
  return { id, key, projectId };
}

const ask = ({ id, key, projectId }: Entry, headers: Record<string, string> = {}) =>
  requestUpload(url, { key, projectId, submissionId: id, sizeBytes: picture.length, headers });

const remove = ({ key, projectId }: Entry): Promise<Answer> =>
  call(other, 'DELETE', `/agents/projects/${projectId}/intent`, { key });

const codeOf = ({ status, body }: Answer) => (status < 300 ? `${status}` : `${status} ${body.error.code}`);

async function stateOf({ id }: Entry) {
  const [row] = await ground.db<{ status: string; paid: number; payments: number; files: number }[]>`
    select s.status, s.entry_fee_paid_micro as paid,
      (select count(*) from payments where subject_id = s.id) as payments,
      (select count(*) from media_files where submission_id = s.id and status in ('pending', 'completed')) as files
    from submissions s where s.id = ${id}`;
  return { ...row };
}

describe('deleting an intent while it is paid on another process', () => {
  it('either deletes it and charges nothing, or leaves it paid', async () => {
    const outcomes = new Map<string, number>();
    let paymentMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const entry = await enter(project.id);
      const payer = newPayer();
      await ground.mintUsdc(payer.address, FUNDS_MICRO);
      const payment = await signPayment(payer, expectStatus(await ask(entry), 402));
      // The first round deletes after the payment and measures it. The others spread over its time.
      const startedAt = performance.now();
      const paying = ask(entry, payment).finally(() => (paymentMs ||= performance.now() - startedAt));
      await (round === 0 ? paying : sleep((paymentMs * round) / ROUNDS));
      const [removed, paid] = await Promise.all([remove(entry), paying]);
      const balance = await ground.chain.balanceMicro(payer.address);
      const outcome = `${codeOf(paid)}, ${codeOf(removed)}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (removed.status === 200) {
        assert.equal(codeOf(paid), '404 SUBMISSION_NOT_FOUND');
        assert.deepEqual(await stateOf(entry), { status: 'withdrawn', paid: 0, payments: 0, files: 0 });
        assert.equal(balance, FUNDS_MICRO);
        continue;
      }
      assert.match(codeOf(removed), /^(?:503 PAYMENT_PENDING|409 INTENT_PAID)$/);
      expectStatus(paid, 200);
      assert.deepEqual(await stateOf(entry), { status: 'pending', paid: FEE_MICRO, payments: 1, files: 1 });
      assert.equal(balance, FUNDS_MICRO - FEE_MICRO);
    }
    const found = JSON.stringify([...outcomes]);
    for (const outcome of ['404 SUBMISSION_NOT_FOUND, 200', '200, 409 INTENT_PAID'])
      assert.ok(outcomes.has(outcome), found);
    const books = await ledger({ url, operatorKey: ground.operatorKey });
    assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
  });
});

describe('deleting an intent in a free project', () => {
  it('while it gets an upload URL leaves no current file behind', async () => {
    for (let round = 0; round < 20; round += 1) {
      const entry = await enter(free.id);
      const [granted, removed] = await Promise.all([ask(entry), sleep(round % 5).then(() => remove(entry))]);
      expectStatus(removed, 200);
      assert.match(codeOf(granted), /^(?:200|404 SUBMISSION_NOT_FOUND)$/);
      assert.deepEqual(await stateOf(entry), { status: 'withdrawn', paid: 0, payments: 0, files: 0 });
    }
  });

  it('while it is confirmed leaves either an entry or nothing', async () => {
    for (let round = 0; round < 20; round += 1) {
      const entry = await enter(free.id);
      const granted = expectStatus(await ask(entry), 200);
      assert.equal(await putPicture(granted.body.data.uploadUrl, picture), 200);
      const [confirmed, removed] = await Promise.all([
        confirm(url, entry.key, entry.projectId, entry.id),
        sleep(round * 2).then(() => remove(entry)),
      ]);
      const { status } = await stateOf(entry);
      if (removed.status === 200) {
        assert.match(codeOf(confirmed), /^404 (?:SUBMISSION|MEDIA_FILE)_NOT_FOUND$/);
        assert.equal(status, 'withdrawn');
      } else {
        assert.equal(codeOf(removed), '409 SUBMISSION_EXISTS');
        expectStatus(confirmed, 200);
        assert.equal(status, 'submitted');
      }
    }
    const [row] = await ground.db`
      select total_submissions as shown,
        (select count(*) from submissions where project_id = p.id and status = 'submitted') as counted
      from projects p where id = ${free.id}`;
    assert.equal(row?.['shown'], row?.['counted']);
  });
});

describe('concurrent requests', () => {
  it('delete one intent once, and create one new intent', async () => {
    const entry = await enter(project.id);
    const removals = await Promise.all(Array.from({ length: 10 }, () => remove(entry)));
    assert.equal(removals.filter(({ status }) => status === 200).length, 1);
    for (const answer of removals) assert.match(codeOf(answer), /^(?:200|404 SUBMISSION_NOT_FOUND)$/);
    const body = { title: 'Lighthouse at dusk' };
    const created = await Promise.all(
      [url, other, url, other].map((at) =>
        call(at, 'POST', `/agents/projects/${project.id}/intent`, { key: entry.key, body }),
      ),
    );
    assert.deepEqual(created.map(codeOf).toSorted(), [
      '201',
      ...Array.from({ length: 3 }, () => '409 INTENT_ALREADY_EXISTS'),
    ]);
    const [agent] = await ground.db`
      select total_projects as projects from agents
      where id = (select agent_id from submissions where id = ${entry.id})`;
    assert.equal(agent?.['projects'], 1);
  });
});

it('no process logged an error', () => {
  for (const { running } of services) assert.equal(running.output(), '');
});
