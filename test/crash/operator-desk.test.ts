import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call } from '../support/clients/client.ts';
import { DESK_ENV, deskCases } from '../support/money/desk-cases.ts';
import { expectStatus, registerPoster } from '../support/clients/journey.ts';
import { untilPaid } from '../support/money/money-acts.ts';
import { killedBeforeAnswer, killedBeforeCommit, type Write } from '../support/processes/killed-writes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';
import { assertBooks } from '../support/endings/ending.ts';

// SIGKILL ends the process while it writes what an operator decides. The repeated request ends in the same state. The
// audit trail has each decision once, and money moves once. questions.test.ts hides a question.

// The lease of a killed process ends after 1 s instead of 30 s.
const ground = await prepareWorld({ env: DESK_ENV, paymentTimes: { waitMs: 5_000, leaseMs: 1_000 } });
const { db, operatorKey: key } = ground;
let service = await ground.start();
const { url } = service;
const desk = deskCases(ground, url);

type Case = Write & {
  none: unknown;
  once: unknown;
  /** Checks what the decision has led to. */
  after?(): Promise<void>;
};

const AUDIT = 'insert into audit_trail';
const send = (method: string, path: string, body: object): Promise<Answer> =>
  call(url, method, `/operator/${path}`, { key, body });

async function audited(subject: string): Promise<string[]> {
  const rows = await db<{ action: string }[]>`
    select action from audit_trail where subject = ${subject} and actor = 'operator' order by at, id`;
  return rows.map(({ action }) => action);
}

async function setStatus(posterId: string, status: string) {
  return await send('PUT', `posters/${posterId}/status`, { status, reason: 'Briefs that cheat' });
}

async function suspendedAt(posterId: string): Promise<boolean> {
  const rows = await db`
    select 1 from poster_directory where poster_id = ${posterId} and suspended_at is not null`;
  return rows.length === 1;
}

const setVisibility = (id: string, hidden: boolean) =>
  send('POST', `questions/${id}/visibility`, { hidden, reason: 'Advertising' });

async function isHidden(id: string): Promise<boolean> {
  return (await db`select 1 from questions where id = ${id} and hidden_at is not null`).length === 1;
}

async function decisionOf(id: string): Promise<string | null> {
  const [row] = await db<{ decision: string | null }[]>`select decision from originality_flags where id = ${id}`;
  return row?.decision ?? null;
}

async function statusOf(agentId: string): Promise<[status: string, events: number]> {
  const [row] = await db<[{ status: string; events: number }]>`
    select status, (select count(*)::int from events
      where type = 'STATUS.CHANGED' and stream = ${`agent:${agentId}`}) as events
    from agents where id = ${agentId}`;
  return [row.status, row.events];
}

const cases: Record<string, () => Promise<Case>> = {
  async 'suspends a poster'() {
    const { id } = await registerPoster(url);
    return {
      waitsAt: AUDIT,
      send: () => setStatus(id, 'suspended'),
      written: async () => [await suspendedAt(id), await audited(`poster:${id}`)],
      none: [false, []],
      once: [true, ['poster.set_status']],
    };
  },
  async 'ends the suspension of a poster'() {
    const { id } = await registerPoster(url);
    expectStatus(await setStatus(id, 'suspended'), 200);
    return {
      waitsAt: AUDIT,
      send: () => setStatus(id, 'active'),
      written: async () => [await suspendedAt(id), await audited(`poster:${id}`)],
      none: [true, ['poster.set_status']],
      once: [false, ['poster.set_status', 'poster.set_status']],
    };
  },
  async 'shows a question again'() {
    const id = await desk.question();
    expectStatus(await setVisibility(id, true), 200);
    return {
      waitsAt: AUDIT,
      send: () => setVisibility(id, false),
      written: async () => [await isHidden(id), await audited(`question:${id}`)],
      none: [true, ['question.hide']],
      once: [false, ['question.hide', 'question.show']],
    };
  },
  async 'dismisses a flag'() {
    const { id } = await desk.flag();
    return {
      waitsAt: AUDIT,
      send: () => send('POST', `flags/${id}/decision`, { decision: 'dismissed', reason: 'The same lighthouse' }),
      written: async () => [await decisionOf(id), await audited(`flag:${id}`)],
      none: [null, []],
      once: ['dismissed', ['flag.decide']],
    };
  },
  async 'puts the agent of a flag under review'() {
    const { id, agentId } = await desk.flag();
    return {
      // The agent is told last.
      waitsAt: 'insert into events',
      send: () => send('POST', `flags/${id}/decision`, { decision: 'under_review', reason: 'Copies others' }),
      written: async () => [
        await decisionOf(id),
        await audited(`flag:${id}`),
        await audited(`agent:${agentId}`),
        await statusOf(agentId),
      ],
      none: [null, [], [], ['active', 0]],
      once: ['under_review', ['flag.decide'], ['agent.set_status'], ['under_review', 1]],
    };
  },
  async 'releases all payouts that a daily cap holds'() {
    const held = await desk.heldPayouts(2);
    const ids = held.map(({ id }) => id);
    return {
      waitsAt: AUDIT,
      send: () => send('POST', 'payouts/release', { reason: 'A busy day' }),
      async written() {
        const rows = await db`select 1 from payouts where id = any(${ids}) and released`;
        return [rows.length, ...(await Promise.all(ids.map((id) => audited(`payout:${id}`))))];
      },
      none: [0, [], []],
      once: [2, ['payout.release'], ['payout.release']],
      async after() {
        await untilPaid(ground);
        for (const { received } of held) assert.equal(await received(), 1);
      },
    };
  },
  async 'releases a held payout'() {
    const [{ id, received }] = (await desk.heldPayouts(1)) as [Awaited<ReturnType<typeof desk.heldPayouts>>[0]];
    return {
      waitsAt: AUDIT,
      send: () => send('POST', `payouts/${id}/retry`, { reason: 'Known to us' }),
      async written() {
        const rows = await db`select 1 from payouts where id = ${id} and released`;
        // A repeated request for a payout that is being sent is in the audit trail too.
        return [rows.length, (await audited(`payout:${id}`)).filter((action) => action === 'payout.release').length];
      },
      none: [0, 0],
      once: [1, 1],
      async after() {
        await untilPaid(ground);
        assert.equal(await received(), 1);
      },
    };
  },
};

for (const [name, prepare] of Object.entries(cases))
  describe(`a crash while an operator ${name}`, () => {
    it('before the commit leaves nothing, and the repeated request writes it once', async () => {
      const { none, once, after, ...write } = await prepare();
      service = await killedBeforeCommit(ground, service, write);
      assert.deepEqual(await write.written(), none);
      expectStatus(await write.send(), 200);
      assert.deepEqual(await write.written(), once);
      await after?.();
    });

    it('before the answer has written it once, and the repeated request changes nothing', async () => {
      const { once, after, ...write } = await prepare();
      service = await killedBeforeAnswer(ground, service, write);
      assert.deepEqual(await write.written(), once);
      const { status } = await write.send();
      // A payout that was released may have been sent meanwhile.
      assert.ok(status === 200 || (status === 409 && name === 'releases a held payout'), `${status}`);
      assert.deepEqual(await write.written(), once);
      await after?.();
    });
  });

describe('a crash while an operator returns several strays', () => {
  // The console sends one request for each, one after the other. The second one is killed, and all are sent again.
  const giveBack = (id: string) => send('POST', `strays/${id}/return`, { reason: 'A mistake' });
  const owed = async (id: string) => (await db`select 1 from payouts where reference = ${`stray:${id}`}`).length;

  for (const moment of ['before the commit', 'before the answer'] as const)
    it(`${moment} of the second owes each of them once`, async () => {
      const strays = await desk.strays(3);
      const ids = strays.map(({ id }) => id) as [string, string, string];
      const counts = () => Promise.all(ids.map(owed));
      expectStatus(await giveBack(ids[0]), 200);
      const second = () => giveBack(ids[1]);
      if (moment === 'before the commit') {
        service = await killedBeforeCommit(ground, service, { waitsAt: 'insert into ledger_entries', send: second });
        assert.deepEqual(await counts(), [1, 0, 0]);
      } else {
        service = await killedBeforeAnswer(ground, service, { send: second });
        assert.deepEqual(await counts(), [1, 1, 0]);
      }
      for (const id of ids) expectStatus(await giveBack(id), 200);
      assert.deepEqual(await counts(), [1, 1, 1]);
      await untilPaid(ground);
      for (const { returned } of strays) assert.equal(await returned(), 1);
      const trail = await db`
        select 1 from audit_trail where action = 'transfer.return' and details ->> 'stray_id' = any(${ids})`;
      assert.equal(trail.length, 3);
    });
});

it('the books match the chain', async () => {
  await untilPaid(ground);
  await assertBooks({ url, operatorKey: key });
});
