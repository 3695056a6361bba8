import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { type Answer, call, newPayer, signPayment } from '../support/clients/client.ts';
import {
  brief,
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
import { assertBooks } from '../support/endings/ending.ts';
import { untilSettled } from '../support/money/payment-answers.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, untilKilled } from '../support/processes/service-processes.ts';
import { holdingLane } from '../support/worlds/batch-world.ts';

// SIGKILL ends the process while it takes an entry fee, a prize, or several payments in one transaction. After a restart,
// everybody pays once and has what the payment was for, whichever retry comes first.

const FEE_MICRO = 250_000;
const PRIZE_MICRO = 1_000_000;
const FUNDS_MICRO = 3_000_000;
const MANY = '1000000';
const ground = await prepareWorld({
  env: { LIMIT_REGISTRATIONS_PER_HOUR: MANY, LIMIT_POSTER_PER_MINUTE: MANY },
  paymentTimes: { waitMs: 5_000, leaseMs: 500 },
});
const { db, chain } = ground;
const rpc = rpcClient(ground.rpcUrl);
const picture = await testPicture();
let service = await ground.start();
const { url } = service;
const market = { url, mintUsdc: ground.mintUsdc };
const poster = await registerPoster(url);
const project = await openProject(market, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });

async function restart(): Promise<void> {
  service = await ground.start(Number(new URL(url).port));
}

type Pay = (headers?: Record<string, string>) => Promise<Answer>;

/** A wallet that signed two payments for the same thing. */
async function signedTwice(pay: Pay) {
  const payer = newPayer();
  await ground.mintUsdc(payer.address, FUNDS_MICRO);
  const refusal = expectStatus(await pay(), 402);
  return { payer, pay, first: await signPayment(payer, refusal), second: await signPayment(payer, refusal) };
}

type Signed = Awaited<ReturnType<typeof signedTwice>>;

async function enter(projectId = project.id) {
  const { key } = await registerAgent(url);
  const { id } = await createIntent(url, key, projectId);
  const request = { key, projectId, submissionId: id, sizeBytes: picture.length };
  const pay: Pay = (headers = {}) => requestUpload(url, { ...request, headers });
  return { key, id, ...(await signedTwice(pay)) };
}

async function draft() {
  const path = '/posters/me/projects';
  const { key } = poster;
  const { id } = expectStatus(await call(url, 'POST', path, { key, body: brief() }), 201).body.data.project;
  const pay: Pay = (headers = {}) => call(url, 'POST', `${path}/${id}/publish`, { key, headers });
  return { id: id as string, ...(await signedTwice(pay)) };
}

async function dieAt(point: CrashPoint, { pay, first }: Signed, write = ''): Promise<void> {
  await service.crashAt(point, 1, write);
  await untilKilled(service, () => pay(first));
}

/** Sends the lost payment, another one, and a request without a payment at once, until each has an outcome. */
async function retryAll({ pay, first, second }: Signed, claimed: boolean): Promise<void> {
  const [asked, again, other] = await Promise.all(
    [{}, first, second].map((headers) => untilSettled(() => pay(headers))),
  );
  // After the claim, the service must not answer with a new 402. Before it, a 402 is correct.
  if (claimed) expectStatus(asked!, 200);
  else assert.ok([200, 402].includes(asked!.status), JSON.stringify(asked!.body));
  expectStatus(again!, 200);
  expectStatus(other!, 200);
}

async function assertPaidOnce({ id, payer }: Signed & { id: string }, micro: number): Promise<void> {
  assert.equal(await chain.balanceMicro(payer.address), FUNDS_MICRO - micro, 'one payment left the wallet');
  const payments = await db`select state, late from payments where subject_id = ${id}`;
  assert.deepEqual([...payments], [{ state: 'settled', late: false }]);
}

/** Asserts that the project counts as many places as it has fees that are paid or being paid. */
async function assertPlacesCounted(): Promise<void> {
  const [row] = await db<{ taken: number; live: number }[]>`
    select places_taken as taken, (
      select count(*) from payments p join submissions s on s.id = p.subject_id
      where s.project_id = projects.id and p.kind = 'entry_fee' and p.state <> 'failed' and not p.late) as live
    from projects where id = ${project.id}`;
  assert.equal(row?.taken, row?.live, 'the places');
}

describe('an entry fee', () => {
  /** `claimed`: the database has the claim of the signed payment, so that only its outcome can be the answer. */
  const points: { point: CrashPoint; claimed: boolean }[] = [
    { point: 'in the claim', claimed: false },
    { point: 'before settle', claimed: true },
    { point: 'after settle', claimed: true },
    { point: 'in the booking', claimed: true },
    { point: 'before the answer', claimed: true },
  ];
  const paid: Awaited<ReturnType<typeof enter>>[] = [];

  for (const { point, claimed } of points)
    it(`is taken once if the crash was ${point}`, async () => {
      const entry = await enter();
      await dieAt(point, entry);
      await assertPlacesCounted();
      await restart();
      await retryAll(entry, claimed);
      await assertPaidOnce(entry, FEE_MICRO);
      await assertPlacesCounted();
      const files = await db`select 1 from media_files where submission_id = ${entry.id} and status = 'pending'`;
      assert.equal(files.length, 1, 'one grant');
      paid.push(entry);
    });

  // In one process of the service, because each process starts its own decoders of pictures.
  it('lets every agent enter that has paid', async () => {
    assert.equal(paid.length, points.length);
    for (const { pay, key, id } of paid) {
      const { uploadUrl } = expectStatus(await pay(), 200).body.data;
      assert.equal(await putPicture(uploadUrl, picture), 200);
      expectStatus(await confirm(url, key, project.id, id), 200);
    }
  });
});

describe('a prize', () => {
  /** A project has terms from the commit that opens it. A killed process leaves both or neither. */
  async function assertOpened(id: string, opened: boolean): Promise<void> {
    const [row] = await db<{ status: string; terms: number; openings: number }[]>`
      select status, (select count(*)::int from project_terms where project_id = p.id) as terms,
        (select count(*)::int from project_transitions where project_id = p.id and to_status = 'open') as openings
      from projects p where id = ${id}`;
    const count = opened ? 1 : 0;
    assert.deepEqual(row, { status: opened ? 'open' : 'draft', terms: count, openings: count });
  }

  it('is taken once, and opens the project once, if the crash was in the booking', async () => {
    const drafted = await draft();
    await dieAt('in the booking', drafted);
    await assertOpened(drafted.id, false);
    await restart();
    await retryAll(drafted, true);
    await assertPaidOnce(drafted, PRIZE_MICRO);
    await assertOpened(drafted.id, true);
  });

  it('opens the project for agents that polled before the commit, if the crash was right after the commit', async () => {
    const drafted = await draft();
    const { id } = drafted;
    await dieAt('after the commit', drafted, 'insert into project_terms');
    await assertOpened(id, true);
    const unconfirmed = await db`
      select from publication_clock, projects where id = ${id} and unconfirmed_at = published_at`;
    assert.equal(unconfirmed.count, 1);
    // As if the commit had taken a minute, and the process had died then.
    const stamp = new Date(Date.now() - 60_000);
    await db`update projects set published_at = ${stamp}, visible_at = ${stamp} where id = ${id}`;
    await db`update project_listings set published_at = ${stamp}, visible_at = ${stamp} where project_id = ${id}`;
    await db`update publication_clock set newest_at = ${stamp}, unconfirmed_at = ${stamp}`;
    await restart();
    const { key } = await registerAgent(url);
    const polledAt = new Date(stamp.getTime() + 30_000).toISOString();
    const poll = async () => {
      const query = new URLSearchParams({ status: 'open', created_after: polledAt, limit: '50' });
      const answer = expectStatus(await call(url, 'GET', `/agents/projects?${query.toString()}`, { key }), 200);
      const { projects } = answer.body.data as { projects: { id: string }[] };
      assert.ok(projects.some((each) => each.id === id));
    };
    await poll();
    await until('the confirmation', async () => {
      const [clock] = await db<[{ at: Date | null }]>`select unconfirmed_at as at from publication_clock`;
      return clock.at === null;
    });
    await poll();
    await retryAll(drafted, true);
    await assertPaidOnce(drafted, PRIZE_MICRO);
    await assertOpened(id, true);
  });
});

describe('payments that share a transaction', () => {
  const AGENTS = 6;
  type Case = { name: string; point: CrashPoint; mines: boolean; whileDead?: () => Promise<unknown> };
  const cases: Case[] = [
    { name: 'between two bookings', point: 'after the commit', mines: true },
    {
      name: 'after the broadcast, which is mined while the process is dead',
      point: 'after the broadcast',
      mines: false,
      whileDead: () => rpc('evm_mine', []),
    },
    {
      name: 'after the broadcast, which is dropped while the process is dead',
      point: 'after the broadcast',
      mines: false,
      whileDead: () => rpc('anvil_dropAllTransactions', []),
    },
  ];
  for (const { name, point, mines, whileDead } of cases)
    it(`count once each if the crash was ${name}`, async () => {
      const entries = await Promise.all(Array.from({ length: AGENTS }, () => enter()));
      const ids = entries.map(({ id }) => id);
      const countOf = async (state: string) => {
        const rows = await db`select 1 from payments where subject_id = any(${ids}) and state = ${state}`;
        return rows.length;
      };
      await rpc('evm_setAutomine', [mines]);
      // The lane of the key is held until all wait for it, as while an earlier transaction waits for its block.
      const paying = await holdingLane(db, ground.facilitatorKey, async () => {
        const answers = entries.map(({ pay, first }) => pay(first).catch(() => null));
        await until('the claims', async () => (await countOf('settling')) === AGENTS);
        await service.crashAt(point, 1, point === 'after the commit' ? 'entry_fee_paid_micro =' : '');
        return answers;
      });
      await Promise.all(paying);
      assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
      const booked = await countOf('settled');
      assert.equal(booked > 0 && booked < AGENTS, point === 'after the commit', `${booked} bookings`);
      await whileDead?.();
      await rpc('evm_setAutomine', [true]);
      const left = await Promise.all(entries.map(({ payer }) => chain.balanceMicro(payer.address)));
      assert.equal(
        left.some((micro) => micro < FUNDS_MICRO),
        !name.includes('dropped'),
        left.join(),
      );
      await restart();
      for (const { pay, first } of entries) expectStatus(await untilSettled(() => pay(first)), 200);
      for (const entry of entries) await assertPaidOnce(entry, FEE_MICRO);
    });
});

it('the books match the chain after all crashes', async () => {
  await assertBooks({ url, operatorKey: ground.operatorKey });
});
