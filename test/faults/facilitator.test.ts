import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Facilitator, FacilitatorUnavailable, type Settlement } from '../../server/x402/types.ts';
import { sweepPayments } from '../../server/payments/sweep.ts';
import { type Answer, call, fund, newPayer, type Payer, signPayment } from '../support/clients/client.ts';
import {
  brief,
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  registerPoster,
  requestUpload,
} from '../support/clients/journey.ts';
import { assertPending, untilSettled } from '../support/money/payment-answers.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The facilitator can fail in any way. The client never gets another 402 while its money may have moved. The money
// moves once, and in the end the books match the chain.

const FUNDS_USDC = 4;
const FEE_MICRO = 250_000;
const PRIZE_MICRO = 1_000_000;
// The time of a later sweep. Leases have ended, and the service examines failed payments again.
const LATER_MS = 61_000;

type Settle = Facilitator['settle'];
const honest: Partial<Facilitator> = {};
let faults: Partial<Facilitator> = honest;
/** Settles with the real facilitator, but without its proof, because a remote facilitator gives none. */
let settle: Settle;

const world = await startWorld({
  paymentTimes: { leaseMs: 400 },
  env: { LIMIT_POSTER_PER_MINUTE: '10000', LIMIT_PAYMENTS_PER_HOUR: '10000' },
  wrap({ facilitator }) {
    settle = async (payment) => {
      const { proof: _, ...told } = await facilitator.settle(payment);
      return told;
    };
    return {
      facilitator: {
        ...facilitator,
        verify: (payment) => (faults.verify ?? facilitator.verify)(payment),
        settle: (payment) => (faults.settle ?? facilitator.settle)(payment),
      },
    };
  },
});
const { url, service } = world;
/** Waits long if the outcome becomes known, so that slow machines find it too. */
const { payments } = service.deps;
const patientMs = payments.waitMs;
const HASTY_MS = 500;
afterEach(() => {
  faults = honest;
  payments.waitMs = patientMs;
});
const poster = await registerPoster(url);
const project = await openProject(world, { poster, entryFeeUsdc: FEE_MICRO / 1e6 });

/** A subject to pay for, and a wallet that signed two payments for it. */
type Bill = {
  subjectId: string;
  priceMicro: number;
  payer: Payer;
  ask(headers?: Record<string, string>, send?: typeof fetch): Promise<Answer>;
  first: Record<string, string>;
  second: Record<string, string>;
};

async function billOf(subjectId: string, priceMicro: number, ask: Bill['ask']): Promise<Bill> {
  const payer = newPayer();
  await fund(url, payer.address, FUNDS_USDC);
  const refusal = expectStatus(await ask(), 402);
  const [first, second] = [await signPayment(payer, refusal), await signPayment(payer, refusal)];
  return { subjectId, priceMicro, payer, ask, first, second };
}

async function entryFee(): Promise<Bill> {
  const agent = await registerAgent(url);
  const { id } = await createIntent(url, agent.key, project.id);
  const request = { key: agent.key, projectId: project.id, submissionId: id, sizeBytes: 1_000 };
  return await billOf(id, FEE_MICRO, (headers = {}, send = fetch) =>
    requestUpload(url, { ...request, headers, fetch: send }),
  );
}

async function prize(): Promise<Bill> {
  const { key } = poster;
  const drafted = expectStatus(await call(url, 'POST', '/posters/me/projects', { key, body: brief() }), 201);
  const id = drafted.body.data.project.id as string;
  return await billOf(id, PRIZE_MICRO, (headers = {}) =>
    call(url, 'POST', `/posters/me/projects/${id}/publish`, { key, headers }),
  );
}

const later = { now: () => new Date(Date.now() + LATER_MS) };
/** Sweeps until the subject has as many settled payments. The service's own sweeper may hold one of them meanwhile. */
async function sweepLater({ subjectId }: Bill, wanted: number): Promise<void> {
  await until(`${wanted} settled payments`, async () => {
    await sweepPayments({ ...service.deps, clock: later });
    const { db } = service.deps;
    return (await db`select 1 from payments where subject_id = ${subjectId} and state = 'settled'`).length === wanted;
  });
}

async function assertBooksAreTheChain(): Promise<void> {
  const books = await ledger(world);
  assert.deepEqual([books.problems, books.balanced, books.chain_matches, books.unknown_payments], [[], true, true, 0]);
}

async function assertPaidOnce({ subjectId, priceMicro, payer }: Bill): Promise<void> {
  const balanceMicro = await service.deps.chain.balanceMicro(payer.address);
  assert.equal(balanceMicro, FUNDS_USDC * 1e6 - priceMicro, 'the price left the wallet once');
  const rows = await service.deps.db`select state, late from payments where subject_id = ${subjectId}`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ state: 'settled', late: false }],
  );
  await assertBooksAreTheChain();
}

async function assertUntouched({ subjectId, payer }: Bill): Promise<void> {
  assert.equal((await service.deps.db`select 1 from payments where subject_id = ${subjectId}`).length, 0);
  assert.equal(await service.deps.chain.balanceMicro(payer.address), FUNDS_USDC * 1e6);
}

function assertNotChecked(answer: Answer): void {
  expectStatus(answer, 503);
  assert.equal(answer.body.error.code, 'INTERNAL_ERROR');
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
}

const failed = (errorReason: string, transaction = ''): Settlement => ({ success: false, errorReason, transaction });
const wrongHash = `0x${'ab'.repeat(32)}`;

/** `known`: the request learns that the payment settled. Otherwise, it answers PAYMENT_PENDING. */
const settleFaults: { name: string; known: boolean; settle: Settle }[] = [
  { name: 'times out before it broadcasts', known: false, settle: () => new Promise(() => {}) },
  {
    name: 'times out after it broadcast',
    known: false,
    settle: async (payment) => {
      await settle(payment);
      return await new Promise<never>(() => {});
    },
  },
  {
    name: 'answers 500, and its transaction is mined a little later',
    known: true,
    settle: async (payment) => {
      void sleep(150).then(() => settle(payment));
      throw new FacilitatorUnavailable('500');
    },
  },
  {
    name: 'says "nonce used" of its own broadcast',
    known: true,
    settle: async (payment) => {
      await settle(payment);
      return failed('invalid_exact_evm_nonce_already_used');
    },
  },
  {
    name: 'says settlement_pending, and its transaction is mined',
    known: true,
    settle: async (payment) => failed('settlement_pending', (await settle(payment)).transaction),
  },
  {
    name: 'tells success with a wrong transaction, and paid with another',
    known: true,
    settle: async (payment) => ({ ...(await settle(payment)), transaction: wrongHash }),
  },
  {
    name: 'tells success with a wrong transaction of nothing',
    known: false,
    settle: async () => ({ success: true, transaction: wrongHash }),
  },
];

for (const [kind, newBill] of [
  ['an entry fee', entryFee],
  ['a prize', prize],
] as const) {
  describe(`a facilitator that settles ${kind}`, () => {
    // The prize takes the same way: two faults show it.
    for (const { name, known, settle: broken } of kind === 'a prize' ? settleFaults.slice(0, 2) : settleFaults) {
      it(name, async () => {
        const bill = await newBill();
        faults = { settle: broken };
        payments.waitMs = known ? patientMs : HASTY_MS;
        const answer = await bill.ask(bill.first);
        if (known) expectStatus(answer, 200);
        else assertPending(answer);
        // The client requests a new quote, repeats itself, or signs again while the fault lasts.
        for (const retry of await Promise.all([bill.ask(), bill.ask(bill.first), bill.ask(bill.second)])) {
          if (retry.status !== 200) assertPending(retry);
        }
        faults = honest;
        payments.waitMs = patientMs;
        await sweepLater(bill, 1);
        expectStatus(await bill.ask(), 200);
        expectStatus(await bill.ask(bill.second), 200);
        await assertPaidOnce(bill);
      });
    }

    it('refuses for certain: the client can pay again, and a late execution is owed back', async () => {
      const bill = await newBill();
      let refused: Parameters<Settle>[0] | undefined;
      faults = {
        settle: async (payment) => {
          refused = payment;
          return failed('insufficient_funds');
        },
      };
      const answer = expectStatus(await bill.ask(bill.first), 402);
      assert.equal(answer.body.error.code, 'PAYMENT_FAILED');
      faults = honest;
      expectStatus(await bill.ask(bill.second), 200);
      assert.ok(refused);
      assert.equal((await settle(refused)).success, true);
      await sweepLater(bill, 2);
      const rows = await service.deps.db<{ state: string; late: boolean }[]>`
        select state, late from payments where subject_id = ${bill.subjectId} order by late`;
      const found = rows.map(({ state, late }) => `${state} ${late ? 'late' : 'in time'}`);
      assert.deepEqual(found, ['settled in time', 'settled late']);
      const { accounts } = await ledger(world);
      const owed = accounts.find(({ account }) => account === `payable:${bill.payer.address}`);
      assert.equal(owed?.balance_micro, bill.priceMicro);
      await assertBooksAreTheChain();
    });

    it('does not verify: the service takes and records nothing', async () => {
      const bill = await newBill();
      faults = { verify: () => Promise.reject(new FacilitatorUnavailable('500')) };
      assertNotChecked(await bill.ask(bill.first));
      faults = honest;
      await assertUntouched(bill);
      expectStatus(await bill.ask(bill.first), 200);
      await assertPaidOnce(bill);
    });
  });
}

it('a client that disconnects during its payment has paid: its next request needs no payment', async () => {
  const bill = await entryFee();
  const [settling, hungUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  faults = {
    async settle(payment) {
      settling.resolve();
      await hungUp.promise;
      return await settle(payment);
    },
  };
  const client = new AbortController();
  const answer = bill.ask(bill.first, (input, init) => fetch(input, { ...init, signal: client.signal }));
  await settling.promise;
  client.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  hungUp.resolve();
  faults = honest;
  expectStatus(await untilSettled(() => bill.ask()), 200);
  await assertPaidOnce(bill);
});
