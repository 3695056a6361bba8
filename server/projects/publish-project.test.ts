import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { network, pay, paymentWorld, type Wallet } from '../../test/support/worlds/payment-world.ts';
import { PaymentRefused } from '../x402/payment-refused.ts';
import { deleteProject } from './draft-project.ts';
import { getOwnProject } from './own-view.ts';
import { prizeSubject } from './prize.ts';
import { projectsWorld, refusal } from '../../test/support/worlds/projects-world.ts';
import { publishProject } from './publish-project.ts';
import { updateProject } from '../judging/update-project.ts';
import type { PosterCaller } from '../callers.ts';
import type { PaymentInRequest } from '../payments/types.ts';

const money = await paymentWorld();
const { db } = money;
const subjects = { ...money.deps.payments.subjects };
const world = await projectsWorld(db, {
  ...money.deps,
  network,
  payTo: money.payTo,
  payments: { ...money.deps.payments, subjects },
});
subjects.escrow = prizeSubject(world.deps);
const inSeconds = (seconds: number) => new Date(money.deps.clock.now().getTime() + seconds * 1000).toISOString();
const draft = (change: object = {}) =>
  world.draft({ auto_select_deadline: inSeconds(86_400), prize_amount: 2, ...change });
const publish = (id: string, payment: PaymentInRequest = null, by: Context<PosterCaller> = world.poster) =>
  publishProject(by, { params: { project_id: id }, payment });
const read = async (id: string) => (await getOwnProject(world.poster, { params: { project_id: id } })).project;
const patch = (id: string, body: object) =>
  updateProject(world.poster, { params: { project_id: id }, body: posterOperations.updateProject.body.parse(body) });

async function quoteOf(id: string) {
  const error = await refusal(publish(id), 'PAYMENT_REQUIRED');
  assert.ok(error instanceof PaymentRefused);
  return error.quote;
}

const payFor = async (wallet: Wallet, id: string) => await pay(wallet, await quoteOf(id));

describe('publishProject', () => {
  it('repeats the response for an open project without a charge, and returns a lost receipt', async () => {
    const id = await draft();
    const payer = await money.wallet(5_000_000);
    const payment = await payFor(payer, id);
    const first = await publish(id, payment);
    const again = await publish(id);
    assert.deepEqual([again.data.project.status, again.receipt], ['open', null]);
    assert.deepEqual((await publish(id, payment)).receipt, first.receipt);
    assert.deepEqual((await publish(id, { malformed: 'garbage' })).receipt, first.receipt);
    assert.equal(await money.deps.chain.balanceMicro(payer.address), 3_000_000);
  });

  it('never opens a project with a prize that differs from the paid one', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await draft();
      const payer = await money.wallet(5_000_000);
      const payment = await payFor(payer, id);
      const [opened, changed] = await Promise.allSettled([publish(id, payment), patch(id, { prize_amount: 4 })]);
      const project = await read(id);
      const paid = 5_000_000 - (await money.deps.chain.balanceMicro(payer.address));
      if (opened.status === 'fulfilled') {
        assert.deepEqual([project.status, project.prize_amount, paid], ['open', 2_000_000, 2_000_000]);
        assert.ok(
          changed.status === 'rejected' && ['PROJECT_STATE_CONFLICT', 'UPDATE_FORBIDDEN'].includes(changed.reason.code),
          JSON.stringify(changed),
        );
      } else {
        assert.deepEqual(
          [project.status, project.prize_amount, paid, changed.status],
          ['draft', 4_000_000, 0, 'fulfilled'],
        );
        assert.ok(['PROJECT_STATE_CONFLICT', 'PAYMENT_FAILED'].includes(opened.reason.code), String(opened.reason));
      }
      assert.deepEqual((await money.checkLedger()).problems, []);
    }
  });
});

describe('publishProject refuses', () => {
  it('a payment of the prize before it was changed', async () => {
    const id = await draft();
    const payment = await payFor(await money.wallet(5_000_000), id);
    await patch(id, { prize_amount: 3 });
    const error = await refusal(publish(id, payment), 'PAYMENT_FAILED');
    assert.equal((error as PaymentRefused).quote.amountMicro, 3_000_000);
    assert.equal((await read(id)).status, 'draft');
  });

  it('a deadline that comes too close while the payment is checked', async () => {
    const id = await draft();
    const payer = await money.wallet(5_000_000);
    const payment = await payFor(payer, id);
    const { facilitator } = money.deps;
    const slow: typeof facilitator = {
      ...facilitator,
      async verify(signed) {
        await db`update projects set auto_select_deadline = ${inSeconds(60)} where id = ${id}`;
        return await facilitator.verify(signed);
      },
    };
    await refusal(publish(id, payment, { ...world.poster, facilitator: slow }), 'PROJECT_DEADLINE_TOO_CLOSE');
    assert.equal(await money.deps.chain.balanceMicro(payer.address), 5_000_000);
    assert.deepEqual(await money.rows(id), []);
  });
});

it('a prize with an unknown outcome freezes the draft, and opens the project once the payment is found', async () => {
  const id = await draft();
  const payer = await money.wallet(5_000_000);
  const payment = await payFor(payer, id);
  const { facilitator } = money.deps;
  // The transaction is mined and the facilitator's answer is lost. The chain does not answer either.
  const dumb: Context<PosterCaller> = {
    ...world.poster,
    facilitator: {
      ...facilitator,
      async settle(signed) {
        await facilitator.settle(signed);
        throw new Error('socket hang up');
      },
    },
    chain: { ...money.deps.chain, authorization: () => Promise.reject(new ChainUnavailable()) },
    payments: { ...world.deps.payments, waitMs: 300 },
  };
  await refusal(publish(id, payment, dumb), 'PAYMENT_PENDING');
  // The service asks for no other payment and changes nothing, even when the deadline comes close.
  await refusal(publish(id, null, dumb), 'PAYMENT_PENDING');
  await refusal(patch(id, { title: 'Changed meanwhile' }), 'PROJECT_STATE_CONFLICT');
  await refusal(deleteProject(world.poster, { params: { project_id: id } }), 'PROJECT_STATE_CONFLICT');
  await db`update projects set auto_select_deadline = ${inSeconds(60)} where id = ${id}`;
  await money.pass(31);
  const { data } = await publish(id);
  assert.equal(data.project.status, 'open');
  assert.equal(await money.deps.chain.balanceMicro(payer.address), 3_000_000);
  assert.deepEqual((await money.checkLedger()).problems, []);
});

it('prizeSubject refuses the prize of a project that is not a draft or is gone', async () => {
  const open = await world.published({ auto_select_deadline: inSeconds(86_400) });
  assert.deepEqual(await world.open(open), { refused: 'the project is open' });
  assert.deepEqual(await world.open(randomUUIDv7()), { refused: 'the project is gone' });
});
