import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { DESK_ENV, deskCases } from '../support/money/desk-cases.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { untilPaid } from '../support/money/money-acts.ts';
import { newOperator } from '../support/clients/operators.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { assertBooks } from '../support/endings/ending.ts';

// Two operators decide the same thing at once, on two processes. One of them decides, the other one is told, and nothing
// happens twice.

const ground = await prepareWorld({ env: DESK_ENV });
const { db, operatorKey } = ground;
const [one, other] = (await Promise.all([ground.start(), ground.start()])).map(({ url }) => url) as [string, string];
const desk = deskCases(ground, one);
const join = () => newOperator({ url: one, operatorKey }, 'support', 'money');
const [ada, bob] = [await join(), await join()];

type Send = (by: { url: string; key: string; reason: string }) => Promise<Answer>;
const first = { url: one, key: ada.key, reason: 'Ada looked at it', actor: `operator:${ada.name}` };
const second = { url: other, key: bob.key, reason: 'Bob looked at it', actor: `operator:${bob.name}` };
type Operator = typeof first;

/** Sends both requests while the test holds the row that both need, and lets the row go when both wait for it. */
async function atOnce(table: string, id: string, sends: [Send, Send]): Promise<[Answer, Answer]> {
  let answers: Promise<[Answer, Answer]> | undefined;
  await db.begin(async (tx) => {
    await tx`select 1 from ${tx(table)} where ${tx(table === 'poster_directory' ? 'poster_id' : 'id')} = ${id} for update`;
    answers = Promise.all([sends[0](first), sends[1](second)]);
    await until('both wait', async () => {
      const waiting = await db`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
          and query ilike ${`%${table}%`}`;
      return waiting.length >= 2;
    });
  });
  return await answers!;
}

/** Returns who decided and who was refused. */
function winnerOf([of, than]: [Answer, Answer]): { winner: Operator; refused: Answer; firstWon: boolean } {
  const firstWon = of.status === 200;
  return { winner: firstWon ? first : second, refused: firstWon ? than : of, firstWon };
}

async function audited(subject: string): Promise<[actor: string, action: string, reason: string][]> {
  const rows = await db<{ actor: string; action: string; reason: string }[]>`
    select actor, action, reason from audit_trail where subject = ${subject} and actor like 'operator%' order by at, id`;
  return rows.map(({ actor, action, reason }) => [actor, action, reason]);
}

const decide =
  (id: string, body: object): Send =>
  ({ url, key, reason }) =>
    call(url, 'POST', `/operator/flags/${id}/decision`, { key, body: { reason, ...body } });
const setStatus =
  (kind: 'posters' | 'agents', id: string, body: object): Send =>
  ({ url, key, reason }) =>
    call(url, 'PUT', `/operator/${kind}/${id}/status`, { key, body: { reason, ...body } });
const release: Send = ({ url, key, reason }) =>
  call(url, 'POST', '/operator/payouts/release', { key, body: { reason } });

async function flagOf(id: string) {
  const [row] = await db<{ decision: string; reason: string }[]>`
    select decision, decision_reason as reason from originality_flags where id = ${id}`;
  return [row?.decision, row?.reason];
}

describe('two operators who decide a flag at once', () => {
  it('do not replace each other’s decision, and the second one reads the first', async () => {
    const { id } = await desk.flag();
    const decisions = ['upheld', 'dismissed'] as const;
    const { winner, refused, firstWon } = winnerOf(
      await atOnce('originality_flags', id, [
        decide(id, { decision: decisions[0], instead_of: 'open' }),
        decide(id, { decision: decisions[1], instead_of: 'open' }),
      ]),
    );
    const decided = decisions[firstWon ? 0 : 1];
    codeIs(refused, 409, 'OPERATOR_CONFLICT', new RegExp(`It is ${decided}: ${winner.reason}$`));
    assert.deepEqual(await flagOf(id), [decided, winner.reason]);
    assert.deepEqual(await audited(`flag:${id}`), [[winner.actor, 'flag.decide', winner.reason]]);
  });

  it('put its agent under review once', async () => {
    const { id, agentId } = await desk.flag();
    const review = decide(id, { decision: 'under_review', instead_of: 'open' });
    const { winner, refused } = winnerOf(await atOnce('originality_flags', id, [review, review]));
    codeIs(refused, 409, 'OPERATOR_CONFLICT', new RegExp(`It is under review: ${winner.reason}$`));
    assert.deepEqual(await audited(`agent:${agentId}`), [[winner.actor, 'agent.set_status', winner.reason]]);
    const told = await db`select 1 from events where type = 'STATUS.CHANGED' and stream = ${`agent:${agentId}`}`;
    assert.equal(told.length, 1);
  });

  it('may both say the same', async () => {
    const { id } = await desk.flag();
    const dismiss = decide(id, { decision: 'dismissed', reason: 'A common motif', instead_of: 'open' });
    for (const answer of await atOnce('originality_flags', id, [dismiss, dismiss])) expectStatus(answer, 200);
    assert.equal((await audited(`flag:${id}`)).length, 1);
  });
});

describe('two operators who set the status of a poster at once', () => {
  it('suspend it once, and the second one reads why', async () => {
    const { id } = await registerPoster(one);
    const suspend = setStatus('posters', id, { status: 'suspended', instead_of: 'active' });
    const { winner, refused } = winnerOf(await atOnce('poster_directory', id, [suspend, suspend]));
    codeIs(refused, 409, 'OPERATOR_CONFLICT', new RegExp(`The poster is suspended: ${winner.reason}$`));
    assert.deepEqual(await audited(`poster:${id}`), [[winner.actor, 'poster.set_status', winner.reason]]);
    const path = `/operator/posters/${id}`;
    const { poster } = expectStatus(await call(one, 'GET', path, { key: ada.key }), 200).body.data;
    assert.deepEqual([poster.status, poster.suspend_reason], ['suspended', winner.reason]);
  });

  it('end a suspension once', async () => {
    const { id } = await registerPoster(one);
    expectStatus(await setStatus('posters', id, { status: 'suspended' })(first), 200);
    const resume = setStatus('posters', id, { status: 'active', instead_of: 'suspended' });
    for (const answer of await atOnce('poster_directory', id, [resume, resume])) expectStatus(answer, 200);
    assert.equal((await audited(`poster:${id}`)).length, 2);
  });
});

describe('two operators who set the status of an agent at once', () => {
  it('do not replace each other’s status, and the second one reads why', async () => {
    const { id } = await registerAgent(one);
    const statuses = ['limited', 'suspended'] as const;
    const { winner, refused, firstWon } = winnerOf(
      await atOnce('agents', id, [
        setStatus('agents', id, { status: statuses[0], instead_of: 'active' }),
        setStatus('agents', id, { status: statuses[1], instead_of: 'active' }),
      ]),
    );
    const status = statuses[firstWon ? 0 : 1];
    codeIs(refused, 409, 'OPERATOR_CONFLICT', new RegExp(`The agent is ${status}: ${winner.reason}$`));
    assert.deepEqual(await audited(`agent:${id}`), [[winner.actor, 'agent.set_status', winner.reason]]);
    const { agent } = expectStatus(await call(one, 'GET', `/operator/agents/${id}`, { key: ada.key }), 200).body.data;
    assert.deepEqual([agent.status, agent.status_reason], [status, winner.reason]);
  });

  it('end a restriction once', async () => {
    const { id } = await registerAgent(one);
    expectStatus(await setStatus('agents', id, { status: 'limited' })(first), 200);
    const resume = setStatus('agents', id, { status: 'active', instead_of: 'limited' });
    for (const answer of await atOnce('agents', id, [resume, resume])) expectStatus(answer, 200);
    assert.equal((await audited(`agent:${id}`)).length, 2);
  });
});

describe('two operators who release held payouts at once', () => {
  it('release each of them once, and the second one hears that none is held', async () => {
    const held = await desk.heldPayouts(3);
    const answers = await atOnce('payouts', held[0]!.id, [release, release]);
    const released = answers.map((answer) => expectStatus(answer, 200).body.data.released as number);
    assert.deepEqual(
      released.toSorted((a, b) => a - b),
      [0, 3],
    );
    const [winner, late] = released[0] === 3 ? [first, answers[1]] : [second, answers[0]];
    assert.equal(late.body.data.message, 'No payout is held by a daily cap.');
    await untilPaid(ground);
    for (const { id, received } of held) {
      assert.deepEqual(await audited(`payout:${id}`), [[winner.actor, 'payout.release', winner.reason]]);
      assert.equal(await received(), 1);
    }
  });

  it('pay each of them once if both go through the list', async () => {
    const held = await desk.heldPayouts(2);
    const each = async ({ url, key, reason }: Operator) => {
      const answers: Answer[] = [];
      for (const { id } of held)
        answers.push(await call(url, 'POST', `/operator/payouts/${id}/retry`, { key, body: { reason } }));
      return answers;
    };
    for (const answer of (await Promise.all([each(first), each(second)])).flat())
      if (answer.status !== 200) codeIs(answer, 409, 'PROJECT_STATE_CONFLICT', /already settled/);
    await untilPaid(ground);
    for (const { id, received } of held) {
      const trail = await audited(`payout:${id}`);
      assert.equal(trail.filter(([, action]) => action === 'payout.release').length, 1);
      assert.equal(await received(), 1);
    }
  });
});

it('the books match the chain', async () => {
  await untilPaid(ground);
  await assertBooks({ url: one, operatorKey });
});
