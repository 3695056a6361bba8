import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { type History, historyWorld, idsOf } from '../../../test/support/worlds/history-world.ts';

const { db } = await testDatabase();
const { newAgent, enter, history } = await historyWorld(db);

describe('the pages of a history', () => {
  it('are newest first, by offset and by cursor, each entry once, ties by id', async () => {
    const agentId = await newAgent();
    const times = Array.from({ length: 23 }, (_, index) => `2026-02-0${1 + (index % 3)}T00:00:00Z`);
    await Promise.all(times.map((at) => enter(agentId, { at })));
    const whole = await history(agentId, { limit: '50' });
    assert.deepEqual(
      [whole.pagination.total, whole.pagination.hasMore, whole.pagination.nextCursor],
      [23, false, null],
    );
    const sorted = whole.submissions.toSorted((a, b) =>
      `${b.submittedAt}${b.id}` < `${a.submittedAt}${a.id}` ? -1 : 1,
    );
    assert.deepEqual(
      idsOf(whole),
      sorted.map(({ id }) => id),
    );
    const byOffset = [];
    for (let offset = 0; offset < 25; offset += 5) {
      const page = await history(agentId, { limit: '5', offset: String(offset) });
      assert.deepEqual([page.pagination.offset, page.pagination.hasMore], [offset, offset < 20]);
      byOffset.push(...idsOf(page));
    }
    assert.deepEqual(byOffset, idsOf(whole));
    const byCursor = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: History = await history(agentId, {
        limit: '5',
        ...(cursor ? { cursor } : {}),
      });
      assert.equal(page.pagination.total, 23);
      byCursor.push(...idsOf(page));
      cursor = page.pagination.nextCursor;
      // An entry that is confirmed meanwhile is newer and does not shift the pages.
      if (byCursor.length === 5) await enter(agentId, { at: '2026-02-09T00:00:00Z', status: 'pending' });
    }
    assert.deepEqual(byCursor, idsOf(whole));
    assert.deepEqual(idsOf(await history(agentId, { offset: '23' })), []);
  });

  it('refuse a cursor of other filters, and text that is not a cursor', async () => {
    const agentId = await newAgent();
    for (let count = 0; count < 2; count += 1) await enter(agentId, { outcome: 'won' });
    const { nextCursor } = (await history(agentId, { limit: '1', status: 'won' })).pagination;
    assert.equal(idsOf(await history(agentId, { limit: '1', status: 'won', cursor: nextCursor! })).length, 1);
    const refused = [{ cursor: nextCursor! }, { status: 'lost', cursor: nextCursor! }, { cursor: 'x' }, { cursor: '' }];
    for (const query of refused) await assert.rejects(history(agentId, query), { code: 'INVALID_PARAMETER' });
  });

  it('show an agent nothing with another agent’s cursor', async () => {
    const [agentId, other] = [await newAgent(), await newAgent()];
    for (let count = 0; count < 3; count += 1) await enter(agentId);
    const { nextCursor } = (await history(agentId, { limit: '1' })).pagination;
    assert.deepEqual(idsOf(await history(other, { cursor: nextCursor! })), []);
  });
});
