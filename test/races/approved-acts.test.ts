import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus } from '../support/clients/journey.ts';
import { APPROVAL_ENV, moneyActs, type ReadyAct, untilPaid } from '../support/money/money-acts.ts';
import { newOperator, type Operator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { assertBooks } from '../support/endings/ending.ts';

// Two operators approve an act on two processes, while the one who requested it withdraws the request, or while one of
// them loses the key. The act happens once, or not at all.

const ground = await prepareWorld({ env: APPROVAL_ENV });
const { db, operatorKey } = ground;
const [one, other] = (await Promise.all([ground.start(), ground.start()])).map(({ url }) => url) as [string, string];
const acts = moneyActs(ground, one);
const join = () => newOperator({ url: one, operatorKey }, 'money');
const [ada, bob, carl] = [await join(), await join(), await join()];

const as = ({ key }: Operator, url: string, path: string, body: object = {}): Promise<Answer> =>
  call(url, 'POST', `/operator/${path}`, { key, body });
const request = async ({ path, body }: ReadyAct, by = ada) =>
  expectStatus(await as(by, one, path, body), 202).body.data.approval.id as string;
const approve = (by: Operator, url: string, id: string) => as(by, url, `approvals/${id}/approve`);
const withdrawRequest = (id: string) => as(ada, other, `approvals/${id}/reject`, { reason: 'A mistake' });
const stateOf = async (id: string) => {
  const [row] = await db<{ state: string }[]>`select state from operator_approvals where id = ${id}`;
  return row?.state;
};
const revoke = ({ name }: Operator) =>
  call(other, 'POST', `/operator/operators/${name}/revoke`, { key: operatorKey, body: { reason: 'Left' } });

describe('an act that two operators approve while its request is withdrawn', () => {
  it('is any operation that can wait for an approval', () => {
    const waiting = everyOperation.filter(({ approval }) => approval).map(({ id }) => id);
    assert.deepEqual(Object.keys(acts).toSorted(), waiting.toSorted());
  });

  for (const [operation, prepare] of Object.entries(acts))
    it(`${operation} happens once or not at all`, async () => {
      for (const first of ['approvals', 'withdrawal']) {
        const act = await prepare();
        const requests = await Promise.all([one, other, one].map((url) => as(ada, url, act.path, act.body)));
        const [id = '', ...others] = new Set(
          requests.map((answer) => expectStatus(answer, 202).body.data.approval.id as string),
        );
        assert.deepEqual(others, [], 'equal requests are one');
        assert.equal(await act.moved(), false);
        const sends = [
          () => approve(bob, one, id),
          () => approve(carl, other, id),
          () => withdrawRequest(id),
          () => approve(bob, other, id),
        ];
        if (first === 'withdrawal') sends.unshift(...sends.splice(2, 1));
        const answers = await Promise.all(sends.map((send) => send()));
        const codes = answers.map(({ status, body }) => (status === 200 ? 'ok' : `${status} ${body.error.code}`));
        assert.equal(codes.filter((code) => code === 'ok').length, 1, codes.join());
        assert.equal(codes.filter((code) => code.startsWith('409 ')).length, 3, codes.join());
        assert.equal(await act.moved(), (await stateOf(id)) === 'approved');
        codeIs(await approve(bob, one, id), 409, 'APPROVAL_DECIDED');
      }
    });
});

/** Other tests wait for locks in other databases of the same server. */
const waiting = () => db`
  select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

describe('an act whose operators lose their keys', () => {
  for (const [who, message] of [
    ['the one who requested it', /may no longer move money/],
    ['the one who approves it', /revoked/],
  ] as const)
    it(`moves nothing after the revocation of ${who} was answered`, async () => {
      const act = await acts['cancelProjectAsOperator']!();
      const [asking, approving] = [await join(), await join()];
      const id = await request(act, asking);
      const [, projectId] = act.path.split('/');
      let approval: Promise<Answer> | null = null;
      await db.begin(async (tx) => {
        // The approval has passed every check, and waits for the project.
        await tx`select 1 from projects where id = ${projectId!} for update`;
        approval = approve(approving, one, id);
        await until('the act waits', async () => (await waiting()).length > 0);
        expectStatus(await revoke(who === 'the one who requested it' ? asking : approving), 200);
      });
      codeIs(await approval!, 403, 'APPROVAL_FORBIDDEN', message);
      assert.deepEqual([await act.moved(), await stateOf(id)], [false, 'pending']);
    });

  it('happens, or is refused, if the revocation comes at the same moment', async () => {
    for (const role of [0, 1]) {
      const act = await acts['cancelProjectAsOperator']!();
      const [asking, approving] = [await join(), await join()];
      const id = await request(act, asking);
      const [approval, revoked] = await Promise.all([
        approve(approving, one, id),
        revoke(role === 0 ? asking : approving),
      ]);
      expectStatus(revoked, 200);
      assert.ok([200, 401, 403].includes(approval.status), JSON.stringify(approval.body));
      assert.equal(await act.moved(), approval.status === 200);
      assert.equal(await stateOf(id), approval.status === 200 ? 'approved' : 'pending');
    }
  });
});

it('the books match the chain', async () => {
  await untilPaid(ground);
  await assertBooks({ url: one, operatorKey });
});
