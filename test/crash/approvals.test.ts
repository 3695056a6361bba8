import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { expectStatus } from '../support/clients/journey.ts';
import { APPROVAL_ENV, moneyActs, type ReadyAct, untilPaid } from '../support/money/money-acts.ts';
import { newOperator, type Operator } from '../support/clients/operators.ts';
import type { CrashPoint } from '../support/processes/crash-points.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { assertBooks } from '../support/endings/ending.ts';

// SIGKILL ends the process right before and right after each commit of an act that waits for a second operator: of its
// request, of its rejection, and of its approval, which performs it. Afterwards, the same request says what is true, and
// the money has moved once.

// The lease of a killed process ends after 1 s instead of 30 s.
const ground = await prepareWorld({ env: APPROVAL_ENV, paymentTimes: { waitMs: 5_000, leaseMs: 1_000 } });
const { db, operatorKey } = ground;
let service = await ground.start();
const { url } = service;
const acts = moneyActs(ground, url);
const [ada, bob] = [await newOperator({ url, operatorKey }, 'money'), await newOperator({ url, operatorKey }, 'money')];

const as = ({ key }: Operator, path: string, body: object = {}): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key, body });
const request = ({ path, body }: ReadyAct) => as(ada, path, body);
const idOf = (answer: Answer) => expectStatus(answer, 202).body.data.approval.id as string;
const approve = (id: string) => as(bob, `approvals/${id}/approve`);

async function rowsOf(subject: string) {
  return await db<{ id: string; state: string; audited: number }[]>`
    select a.id, a.state, (select count(*)::int from audit_trail where subject = 'approval:' || a.id) as audited
    from operator_approvals a where input::text like ${`%${subject}%`} order by requested_at, id`;
}

/** Kills the process at a point of the request that `send` makes, and starts another one. */
async function killed(point: CrashPoint, send: () => Promise<unknown>): Promise<void> {
  // Bookings of payouts make ids too, and the point must belong to this request.
  await untilPaid(ground);
  await service.crashAt(point, 1, 'operator_approvals');
  const sent = send().catch(() => null);
  assert.equal(await service.running.ended, 'SIGKILL', service.running.output());
  await sent;
  service = await ground.start(Number(new URL(url).port));
}

const points = ['before the commit', 'after the commit'] as const;

describe('a crash of the process', () => {
  for (const point of points) {
    it(`while an act is requested: ${point}`, async () => {
      const act = await acts['withdrawRevenue']!();
      const { withdrawal_id: subject } = act.body as { withdrawal_id: string };
      await killed(point, () => request(act));
      const left = await rowsOf(subject);
      assert.equal(left.length, point === 'before the commit' ? 0 : 1);
      const id = idOf(await request(act));
      assert.deepEqual(
        (await rowsOf(subject)).map((row) => ({ ...row })),
        [{ id, state: 'pending', audited: 1 }],
        'the same request finds the pending one',
      );
      assert.equal(await act.moved(), false);
      expectStatus(await approve(id), 200);
      assert.equal(await act.moved(), true);
    });

    it(`while a request is rejected: ${point}`, async () => {
      const act = await acts['withdrawRevenue']!();
      const { withdrawal_id: subject } = act.body as { withdrawal_id: string };
      const id = idOf(await request(act));
      const reject = () => as(bob, `approvals/${id}/reject`, { reason: 'Not agreed' });
      await killed(point, reject);
      assert.equal((await reject()).status, point === 'before the commit' ? 200 : 409);
      assert.equal((await approve(id)).status, 409);
      assert.deepEqual({ ...(await rowsOf(subject))[0] }, { id, state: 'rejected', audited: 2 });
      assert.equal(await act.moved(), false);
    });

    for (const operation of ['withdrawRevenue', 'returnStray', 'releasePayout', 'releasePayouts'])
      it(`while an approval performs ${operation}: ${point}`, async () => {
        const act = await acts[operation]!();
        const id = idOf(await request(act));
        await killed(point, () => approve(id));
        assert.equal(await act.moved(), point === 'after the commit', 'the act commits with its approval');
        assert.equal((await approve(id)).status, point === 'before the commit' ? 200 : 409);
        assert.equal(await act.moved(), true);
        const trail = await db`
          select from audit_trail where subject = ${`approval:${id}`} and action = 'approval.approve'`;
        assert.equal(trail.length, 1);
      });
  }

  it('before an approved withdrawal is signed', async () => {
    const act = await acts['withdrawRevenue']!();
    const { recipient } = act.body as { recipient: string };
    const id = idOf(await request(act));
    await killed('before signing', () => approve(id));
    await untilPaid(ground);
    assert.equal(await ground.chain.balanceMicro(recipient), 30_000, 'paid once');
  });
});

it('the books match the chain', async () => {
  await untilPaid(ground);
  await assertBooks({ url, operatorKey });
});
